// All that is on the page as one value, and as the fragment of its address: a link shows the same to whoever opens it.

/** @typedef {{ played?: string, file?: string }} Played a strategy by its names in the catalogue, or as a file */
/** @typedef {"rolls" | "decisions" | "hands"} Counted what a session is limited by */
/**
 * @typedef {object} LabState
 * @property {{ regulation: string, game: string, elections: string }} house
 * @property {{ bankroll: string, count: string, counted: Counted, goal: string, short: Short } & Stops} session
 * @property {number} pace
 * @property {Played[]} strategies
 * @property {{ strategy: number, seed: number, roll: number } | null} shooter whose dice are looked at, if any
 * @property {{ menu: string, purpose: string, unit: string } | null} best play that is looked at, if any
 */
/** @typedef {"stop" | "ride" | "reduce"} Short what a player does who is short of money */
/**
 * @typedef {{ loss: string, stopLoss: string, trailing: string, wins: string, losses: string }} Stops where a player
 *   sits out or leaves
 */

/** @type {Stops} */
const NO_STOPS = { loss: "", stopLoss: "", trailing: "", wins: "", losses: "" };

export const STRATEGIES_MAX = 6;
const FILE_MAX = 20_000;
const FORMAT = "1.";

/**
 * What a page shows that was opened without a link.
 *
 * @param {string} regulation
 * @returns {LabState}
 */
export const firstState = (regulation) => ({
  house: { regulation, game: "", elections: "" },
  session: { bankroll: "500", count: "200", counted: "rolls", goal: "750", short: "stop", ...NO_STOPS },
  pace: 100,
  strategies: [{ played: "pass:odds=2" }, { played: "molly" }, { played: "iron_cross" }],
  shooter: null,
  best: null,
});

/**
 * A state from whatever a link had: what is missing or of another kind is as on a fresh page.
 *
 * @param {any} given
 * @param {string} regulation
 * @returns {LabState}
 */
export function stateFrom(given, regulation) {
  const first = firstState(regulation);
  const session = textsOf(first.session, given?.session);
  const counted = oneOf(["rolls", "decisions", "hands"], session.counted, first.session.counted);
  const short = oneOf(["stop", "ride", "reduce"], session.short, first.session.short);
  const strategies = (Array.isArray(given?.strategies) ? given.strategies : first.strategies)
    .map(playedFrom)
    .filter(Boolean)
    .slice(0, STRATEGIES_MAX);
  return {
    house: textsOf(first.house, given?.house),
    session: { ...session, counted, short },
    pace: wholeFrom(given?.pace, 1, 1000, first.pace),
    strategies: strategies.length ? strategies : first.strategies,
    shooter: given?.shooter
      ? {
          strategy: wholeFrom(given.shooter.strategy, 0, STRATEGIES_MAX - 1, 0),
          seed: wholeFrom(given.shooter.seed, 0, 2 ** 53, 0),
          roll: wholeFrom(given.shooter.roll, 0, 1000, 0),
        }
      : null,
    best: given?.best ? textsOf({ menu: "", purpose: "goal", unit: "5" }, given.best) : null,
  };
}

/**
 * The terms of a session as the server takes them; an error in words where an amount or a number is none.
 *
 * @param {LabState["session"]} session
 * @param {(text: string) => number | null} centsFrom
 * @returns {Server.LabSession}
 */
export function sessionAsked(session, centsFrom) {
  /** @param {string} text @param {string} name */
  const cents = (text, name) => {
    const found = centsFrom(text);
    if (found === null) throw new RangeError(`${name}: "${text.slice(0, 30)}" is not an amount, such as 500 or 12.50`);
    return found;
  };
  /** @param {string} text @param {string} name */
  const count = (text, name) => {
    const digits = text.trim().replaceAll(",", "");
    if (!/^[1-9]\d{0,6}$/.test(digits) || Number(digits) > 1_000_000)
      throw new RangeError(`${name}: "${text.slice(0, 30)}" is not a whole number from 1 to 1,000,000`);
    return Number(digits);
  };
  /**
   * @param {(text: string, name: string) => number} read
   * @param {string} text
   * @param {string} name
   */
  const ifAny = (read, text, name) => (text.trim() ? read(text, name) : null);
  return {
    bankroll_cents: cents(session.bankroll, "Bankroll"),
    [session.counted]: count(session.count, "Ends after"),
    goal_cents: ifAny(cents, session.goal, "Goal"),
    shooter_loss_cents: ifAny(cents, session.loss, "Most lost per shooter"),
    stop_loss_cents: ifAny(cents, session.stopLoss, "Stop loss"),
    trailing_stop_cents: ifAny(cents, session.trailing, "Trailing stop"),
    line_wins: ifAny(count, session.wins, "Line wins in a row"),
    line_losses: ifAny(count, session.losses, "Line losses in a row"),
    short: session.short,
  };
}

/**
 * Whether a session has a limit or a stop that stands with what is not shown at first.
 *
 * @param {LabState["session"]} session
 */
export const hasStops = (session) =>
  Object.keys(NO_STOPS).some((key) => session[/** @type {keyof Stops} */ (key)].trim() !== "");

/**
 * The fragment that holds a state.
 *
 * @param {LabState} state
 * @returns {Promise<string>}
 */
export async function fragmentOf(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return FORMAT + base64Of(await through(bytes, new CompressionStream("deflate-raw")));
}

/**
 * The state in a fragment, with or without its #; null if there is none in it.
 *
 * @param {string} fragment
 * @param {string} regulation
 * @returns {Promise<LabState | null>}
 */
export async function stateIn(fragment, regulation) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(FORMAT)) return null;
  try {
    const packed = bytesOf(text.slice(FORMAT.length));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), 4 * FILE_MAX * STRATEGIES_MAX);
    return stateFrom(JSON.parse(new TextDecoder().decode(bytes)), regulation);
  } catch {
    return null; // cut off on its way, or made by hand
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {GenericTransformStream} stream
 * @param {number} [most]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function through(bytes, stream, most = Number.POSITIVE_INFINITY) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError("more than a page holds");
    }
    parts.push(value);
  }
}

/** @param {Uint8Array} bytes */
const base64Of = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/**
 * @template {{ [key: string]: string }} Texts
 * @param {Texts} first
 * @param {any} given
 * @returns {Texts}
 */
function textsOf(first, given) {
  /** @type {{ [key: string]: string }} */
  const texts = { ...first };
  for (const key of Object.keys(first))
    if (typeof given?.[key] === "string") texts[key] = given[key].slice(0, FILE_MAX);
  return /** @type {Texts} */ (texts);
}

/**
 * @template {string} Word
 * @param {Word[]} words
 * @param {string} given
 * @param {Word} first
 * @returns {Word}
 */
const oneOf = (words, given, first) => words.find((word) => word === given) ?? first;

/**
 * @param {any} given
 * @returns {Played | null}
 */
function playedFrom(given) {
  if (typeof given?.file === "string") return { file: given.file.slice(0, FILE_MAX) };
  return typeof given?.played === "string" ? { played: given.played.slice(0, 400) } : null;
}

/**
 * @param {any} given
 * @param {number} low
 * @param {number} high
 * @param {number} first
 */
const wholeFrom = (given, low, high, first) =>
  Number.isInteger(given) && given >= low && given <= high ? given : first;
