// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104) over Uint8Array. Written out because a browser has crypto.subtle
// only with TLS.

const BLOCK = 64;
// The first 32 bits of the fractional parts of the square and cube roots of the first primes.
const PRIMES = Array.from({ length: 312 }, (_, number) => number)
  .filter((number) => number > 1 && isPrime(number))
  .slice(0, 64);
const START = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2n));
const ROUNDS = PRIMES.map((prime) => rootBits(prime, 3n));

/**
 * @param {number} number
 * @returns {boolean}
 */
function isPrime(number) {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false;
  return true;
}

/**
 * floor(root of prime, times 2^32) mod 2^32, exactly.
 *
 * @param {number} prime
 * @param {bigint} degree
 * @returns {number}
 */
function rootBits(prime, degree) {
  const wanted = BigInt(prime) << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** degree <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/**
 * @param {number} word
 * @param {number} by
 * @returns {number}
 */
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let place = 0; place < 16; place += 1) words[place] = view.getUint32(at + 4 * place);
    for (let place = 16; place < 64; place += 1) {
      const early = words[place - 15];
      const late = words[place - 2];
      words[place] =
        words[place - 16] +
        words[place - 7] +
        (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) +
        (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let place = 0; place < 64; place += 1) {
      const first =
        (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[place] + words[place]) |
        0;
      const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => {
      hash[place] += word;
    });
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [place, word] of hash.entries()) digest.setUint32(4 * place, word);
  return new Uint8Array(digest.buffer);
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function hmacSha256(key, message) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    joined(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/**
 * @param {...Uint8Array} parts
 * @returns {Uint8Array}
 */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes of a text in small hex digits; null if it is none.
 *
 * @param {unknown} text
 * @returns {Uint8Array | null}
 */
export function fromHex(text) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
