// The storage of a browser, which node has none of: set it up before importing what reads it.

/** Give this process an empty `localStorage` and `sessionStorage`. */
export function useStorage() {
  for (const name of ["localStorage", "sessionStorage"]) {
    /** @type {Map<string, string>} */
    const kept = new Map();
    const storage = {
      getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, String(value)),
      removeItem: (/** @type {string} */ key) => kept.delete(key),
    };
    Object.defineProperty(globalThis, name, { value: storage, configurable: true });
  }
}
