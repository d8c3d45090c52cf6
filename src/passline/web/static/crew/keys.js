// The keys of the page, as `keyboard/` takes them: a key typed into a field is text.

/**
 * Whether a key is typed into a field.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isTyping({ target }) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

/**
 * Whether a key presses the button or link that has the focus.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isPressing({ key, target }) {
  return (
    (key === "Enter" || key === " ") && target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
  );
}

/**
 * The clock of the browser.
 *
 * @type {import("./keyboard/typed_dice.js").Clock}
 */
export const CLOCK = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Have `press` take the keys of the page; it returns whether the browser must not do anything with one.
 *
 * @param {(key: import("./keyboard/modes.js").Key) => boolean} press
 */
export function listen(press) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, code, shiftKey, repeat } = event;
    const taken = press({
      key,
      code,
      shiftKey,
      repeat,
      isCapsLock: event.getModifierState("CapsLock"),
      isTyping: isTyping(event),
      isPressing: isPressing(event),
      blur: () => event.target instanceof HTMLElement && event.target.blur(),
    });
    if (taken) event.preventDefault();
  });
}
