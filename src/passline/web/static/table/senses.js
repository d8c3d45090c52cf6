// Sounds, the stickperson's calls spoken, vibration: all off until the player turns them on, and remembered in this
// browser.
import { html } from "./svg.js";

const KEPT = "passline senses";
const KINDS = [
  ["sound", "Sounds of dice and chips"],
  ["speech", "Speak the stickperson's calls"],
  ["vibration", "Vibrate on a roll and a win"],
];

export class Senses {
  constructor() {
    this.on = new Set(keptKinds());
    /** @type {AudioContext | null} */
    this.audio = null;
  }

  // The settings: a box for each, with why one cannot be had on this device.
  panel() {
    /** @type {{ [kind: string]: boolean }} */
    const able = {
      sound: "AudioContext" in window,
      speech: "speechSynthesis" in window,
      vibration: "vibrate" in navigator,
    };
    return html(
      "fieldset",
      { class: "senses" },
      html("legend", { class: "spoken" }, "Sounds, speech and vibration"),
      ...KINDS.map(([kind, says]) => {
        const box = html("input", { type: "checkbox", id: `sense-${kind}`, disabled: !able[kind] });
        box.checked = this.on.has(kind) && able[kind];
        box.addEventListener("change", () => this.#turn(kind, box.checked));
        return html(
          "label",
          { class: "check", for: `sense-${kind}` },
          box,
          html("span", {}, able[kind] ? says : `${says}: not on this device`),
        );
      }),
    );
  }

  // The dice are thrown.
  thrown() {
    this.#sound((audio, now) => {
      for (let hit = 0; hit < 5; hit += 1)
        click(audio, now + hit * 0.09 + Math.random() * 0.03, 900 + Math.random() * 900, 0.1);
    });
    this.#vibrate(25);
  }

  /**
   * A roll is decided: what the stick calls, and what the player won or lost in all.
   *
   * @param {string | null} call
   * @param {number} net
   */
  decided(call, net) {
    if (call && this.on.has("speech") && "speechSynthesis" in window) {
      speechSynthesis.cancel();
      speechSynthesis.speak(new SpeechSynthesisUtterance(call));
    }
    if (net > 0)
      this.#sound((audio, now) => {
        for (const [index, pitch] of [523, 659, 784].entries()) tone(audio, now + index * 0.11, pitch, 0.16);
      });
    if (net < 0) this.#sound((audio, now) => tone(audio, now, 196, 0.22));
    if (net > 0) this.#vibrate([50, 40, 50]);
  }

  // A chip is put on the layout or taken from it.
  chip() {
    this.#sound((audio, now) => click(audio, now, 2600, 0.05));
  }

  /**
   * @param {string} kind
   * @param {boolean} isOn
   */
  #turn(kind, isOn) {
    if (isOn) this.on.add(kind);
    else this.on.delete(kind);
    localStorage.setItem(KEPT, JSON.stringify([...this.on]));
    if (kind === "speech" && !isOn) speechSynthesis.cancel();
    if (kind === "sound" && isOn) this.chip();
    if (kind === "vibration" && isOn) this.#vibrate(25);
  }

  /** @param {(audio: AudioContext, now: number) => void} make */
  #sound(make) {
    if (!this.on.has("sound") || document.hidden || !("AudioContext" in window)) return;
    this.audio ??= new AudioContext();
    if (this.audio.state === "suspended") this.audio.resume();
    make(this.audio, this.audio.currentTime + 0.01);
  }

  /** @param {number | number[]} pattern */
  #vibrate(pattern) {
    if (this.on.has("vibration") && !document.hidden) navigator.vibrate?.(pattern);
  }
}

/**
 * A short note that dies away.
 *
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} seconds
 */
function tone(audio, at, pitch, seconds) {
  const [source, level] = [audio.createOscillator(), audio.createGain()];
  source.type = "triangle";
  source.frequency.value = pitch;
  level.gain.setValueAtTime(0.0001, at);
  level.gain.exponentialRampToValueAtTime(0.18, at + 0.015);
  level.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  source.connect(level).connect(audio.destination);
  source.start(at);
  source.stop(at + seconds + 0.02);
}

/**
 * A knock: a burst of noise about a pitch.
 *
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} seconds
 */
function click(audio, at, pitch, seconds) {
  const samples = Math.ceil(audio.sampleRate * seconds);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < samples; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / samples) ** 3;
  const [source, filter, level] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  level.gain.value = 0.3;
  source.connect(filter).connect(level).connect(audio.destination);
  source.start(at);
}

/** @returns {string[]} */
function keptKinds() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}
