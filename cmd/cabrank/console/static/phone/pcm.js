// Sound as numbers: at another rate, between who writes and who reads it, as a line carries it, and
// how loud it is. The audio thread uses it: it needs no page.

export const lineRate = 16000; // samples a second
export const lineFrame = 320;  // samples of a message: 20 ms

const crossings = 8; // of the filter's kernel, on each side
const steps = 64;    // of its table, from one sample to the next

// Resampler turns samples of one rate into those of another, piece by piece. What the lower rate cannot
// hold is left out.
export class Resampler {
  /** @param {number} from @param {number} to */
  constructor(from, to) {
    const low = Math.min(1, to / from), cut = low * 0.92;
    this.step = from / to;
    this.half = Math.ceil(crossings / low);
    this.at = this.half; // where the next sample lies in what is kept
    this.kept = new Float32Array(this.half);
    this.kernel = Float32Array.from({ length: this.half * steps + 1 }, (_, i) => {
      const x = i / steps, y = Math.PI * cut * x;
      return cut * (y ? Math.sin(y) / y : 1) * (0.5 + 0.5 * Math.cos((Math.PI * x) / this.half));
    });
  }

  /** @param {Float32Array} piece */
  run(piece) {
    const { half, kernel, kept, step } = this;
    const all = new Float32Array(kept.length + piece.length);
    all.set(kept);
    all.set(piece, kept.length);
    const out = new Float32Array(Math.max(0, Math.ceil((all.length - half - this.at) / step)));
    for (let n = 0; n < out.length; n++, this.at += step) {
      const middle = Math.floor(this.at);
      for (let i = Math.max(0, middle - half + 1); i <= middle + half && i < all.length; i++) {
        out[n] += all[i] * kernel[Math.round(Math.abs(i - this.at) * steps)];
      }
    }
    const gone = Math.min(all.length, Math.max(0, Math.floor(this.at) - half));
    this.at -= gone;
    this.kept = all.slice(gone);
    return out;
  }
}

// Ring is what is still to be played. It begins once there is a bit, so that what comes late leaves no
// gap; of what is too much the oldest is lost.
export class Ring {
  /** @param {number} most @param {number} begin */
  constructor(most, begin) {
    this.all = new Float32Array(most);
    this.begin = begin;
  }

  first = 0;
  count = 0;
  plays = false;

  clear() {
    this.first = this.count = 0;
    this.plays = false;
  }

  /** @param {Float32Array} piece */
  push(piece) {
    for (const v of piece) {
      this.all[(this.first + this.count) % this.all.length] = v;
      if (this.count < this.all.length) this.count++;
      else this.first = (this.first + 1) % this.all.length;
    }
  }

  /** @param {Float32Array} out */
  pull(out) {
    this.plays = this.count > 0 && (this.plays || this.count >= this.begin);
    for (let i = 0; i < out.length; i++) {
      const has = this.plays && this.count > 0;
      out[i] = has ? this.all[this.first] : 0;
      if (!has) continue;
      this.first = (this.first + 1) % this.all.length;
      this.count--;
    }
  }
}

/** @param {Float32Array} samples */
export const toLine = (samples) => Int16Array.from(samples, (v) => Math.round(Math.max(-1, Math.min(1, v)) * 32767));
/** @param {ArrayBuffer} message */
export const fromLine = (message) => Float32Array.from(new Int16Array(message), (v) => v / 32768);

// loudness is 0 for silence and 1 for as loud as can be, in equal steps for the ear.
/** @param {Float32Array} samples */
export function loudness(samples) {
  const power = samples.reduce((sum, v) => sum + v * v, 0) / (samples.length || 1);
  return power ? Math.max(0, Math.min(1, 1 + Math.log10(power) / 6)) : 0;
}
