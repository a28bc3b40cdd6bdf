// The voice of the page: says what the referee says, after a short sound. Off until somebody taps it.

import { say, toast } from "./page.js";

const KEPT = "voice";
const LOUD = 0.2;

export class Voice {
  #key = null;
  #audio = null;

  constructor(button) {
    this.button = button;
    if (!button) return;
    this.sounds = JSON.parse(button.dataset.sounds);
    this.#turn(localStorage.getItem(KEPT) === "on");
    button.onclick = () => {
      this.#turn(!this.on);
      localStorage.setItem(KEPT, this.on ? "on" : "off");
      if (!this.on) return globalThis.speechSynthesis?.cancel();
      this.#sound("accepted");
      this.#speak(document.getElementById("headline")?.textContent ?? "");
      // Voices come late in some browsers.
      setTimeout(() => this.on && !this.#voice() && toast(say("voice_none")), 1000);
    };
  }

  /** A state has come: what is new in it is said, but not what a page finds when it is opened. */
  show({ voice }) {
    const before = this.#key;
    this.#key = voice.key;
    if (!this.on || before === null || before === voice.key) return;
    globalThis.speechSynthesis?.cancel();
    if (voice.sound) this.#sound(voice.sound);
    this.#speak(voice.text);
  }

  #turn(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.title = say(on ? "voice_off" : "voice_on");
  }

  #voice() {
    const language = document.documentElement.lang;
    return globalThis.speechSynthesis?.getVoices().find((voice) => voice.lang.slice(0, 2) === language);
  }

  #speak(text) {
    const voice = this.#voice();
    if (!text || !voice) return;
    const said = new SpeechSynthesisUtterance(text);
    said.voice = voice;
    said.lang = voice.lang;
    speechSynthesis.speak(said);
  }

  #sound(name) {
    this.#audio ??= new AudioContext();
    // A browser that was not touched yet stays silent: it is tried again with the next sound.
    this.#audio.resume();
    let at = this.#audio.currentTime;
    for (const [hertz, seconds] of this.sounds[name]) {
      if (hertz) this.#tone(hertz, at, seconds);
      at += seconds;
    }
  }

  #tone(hertz, at, seconds) {
    const tone = this.#audio.createOscillator();
    const loud = this.#audio.createGain();
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(LOUD, at + 0.01);
    loud.gain.setValueAtTime(LOUD, at + seconds - 0.03);
    loud.gain.linearRampToValueAtTime(0, at + seconds);
    tone.connect(loud).connect(this.#audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
