// The audio thread of a call: it makes messages of what the microphone hears, and plays those that come.
import { Resampler, Ring, fromLine, lineFrame, lineRate, loudness, toLine } from "./pcm.js";

const quiet = new Float32Array(128);

registerProcessor("line", class extends AudioWorkletProcessor {
  down = new Resampler(sampleRate, lineRate);
  up = new Resampler(lineRate, sampleRate);
  ring = new Ring(sampleRate, sampleRate * 0.06);
  frame = new Float32Array(lineFrame);
  filled = 0;
  open = true; // the microphone is

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data === "stop") this.ring.clear();
      else if (data instanceof ArrayBuffer) this.ring.push(this.up.run(fromLine(data)));
      else this.open = data;
    };
  }

  /** @param {Float32Array[][]} heard @param {Float32Array[][]} played */
  process([[heard]], [[played]]) {
    this.ring.pull(played);
    for (const v of this.down.run(this.open && heard ? heard : quiet)) {
      this.frame[this.filled++] = v;
      if (this.filled < lineFrame) continue;
      this.filled = 0;
      const message = toLine(this.frame).buffer;
      this.port.postMessage({ message, level: loudness(this.frame) }, [message]);
    }
    return true;
  }
});
