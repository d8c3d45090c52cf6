// Authenticators (WebAuthn): a signature by one, bound to the very act by the server's challenge, and a new one.

/** @typedef {{ challenge: string, site: string, credentials: string[] }} Challenge */
/** @typedef {{ credential: string, client_data: string, authenticator_data: string, signature: string }} Assertion */

/**
 * The bytes behind base64url.
 *
 * @param {string} text
 */
export function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

/**
 * Bytes as base64url.
 *
 * @param {ArrayBuffer} bytes
 */
export function textOf(bytes) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Have an authenticator of whoever signs sign a challenge; null if nobody touches one.
 *
 * @param {Challenge} asked
 * @returns {Promise<Assertion | null>}
 */
export async function signWithAuthenticator(asked) {
  const publicKey = {
    challenge: bytesOf(asked.challenge),
    rpId: asked.site,
    allowCredentials: asked.credentials.map((id) => ({ type: /** @type {const} */ ("public-key"), id: bytesOf(id) })),
    userVerification: /** @type {const} */ ("discouraged"), // the PIN has said who it is
    timeout: 90_000,
  };
  const given = await navigator.credentials?.get({ publicKey }).catch(() => null);
  if (!(given instanceof PublicKeyCredential)) return null;
  const answer = /** @type {AuthenticatorAssertionResponse} */ (given.response);
  return {
    credential: given.id,
    client_data: textOf(answer.clientDataJSON),
    authenticator_data: textOf(answer.authenticatorData),
    signature: textOf(answer.signature),
  };
}

/**
 * Make a credential by the server's options, as the server reads it; null if nobody touches an authenticator.
 *
 * @param {any} options
 */
export async function makeCredential(options) {
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((/** @type {any} */ other) => ({
      ...other,
      id: bytesOf(other.id),
    })),
  };
  const made = await navigator.credentials?.create({ publicKey }).catch(() => null);
  if (!(made instanceof PublicKeyCredential)) return null;
  const answer = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return {
    id: made.id,
    rawId: textOf(made.rawId),
    type: made.type,
    response: {
      clientDataJSON: textOf(answer.clientDataJSON),
      attestationObject: textOf(answer.attestationObject),
    },
  };
}
