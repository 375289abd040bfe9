import assert from "node:assert/strict";
import test from "node:test";
import { Resampler, Ring, fromLine, loudness, toLine } from "../../static/phone/pcm.js";

const sine = (hertz, rate, seconds, from = 0) => Float32Array.from({ length: rate * seconds }, (_, i) => Math.sin((2 * Math.PI * hertz * (i + from)) / rate));
const run = (resampler, samples, piece) => {
  const out = [];
  for (let i = 0; i < samples.length; i += piece) out.push(...resampler.run(samples.subarray(i, i + piece)));
  return Float32Array.from(out);
};
const rms = (samples) => Math.sqrt(samples.reduce((sum, v) => sum + v * v, 0) / samples.length);

for (const [from, to] of [[48000, 16000], [44100, 16000], [16000, 48000], [16000, 44100], [16000, 16000]]) {
  test(`sound of ${from} Hz becomes sound of ${to} Hz`, () => {
    const out = run(new Resampler(from, to), sine(440, from, 1), 128);
    assert.ok(Math.abs(out.length - to) < to / 100, `${out.length} samples`);
    const middle = out.subarray(to / 4, to / 2);
    assert.ok(Math.abs(rms(middle) - Math.SQRT1_2) < 0.01, `loudness ${rms(middle)}`);
    const crossings = middle.filter((v, i) => i && v >= 0 && middle[i - 1] < 0).length;
    assert.ok(Math.abs(crossings - 110) <= 1, `${crossings} periods in a quarter of a second`);
  });
}

test("what the lower rate cannot hold is left out", () => {
  assert.ok(rms(run(new Resampler(48000, 16000), sine(12000, 48000, 1), 128).subarray(1000)) < 0.01);
});

test("pieces of any length make the same sound", () => {
  const whole = run(new Resampler(44100, 16000), sine(300, 44100, 0.5), 22050);
  const pieces = run(new Resampler(44100, 16000), sine(300, 44100, 0.5), 37);
  assert.deepEqual(pieces.subarray(0, 7900), whole.subarray(0, 7900));
});

test("a ring waits for its beginning, fills gaps with silence and loses the oldest", () => {
  const ring = new Ring(4, 2), out = new Float32Array(2);
  ring.push(Float32Array.of(1));
  ring.pull(out);
  assert.deepEqual([...out], [0, 0], "too little to begin");
  ring.push(Float32Array.of(2, 3));
  ring.pull(out);
  assert.deepEqual([...out], [1, 2]);
  ring.pull(out);
  assert.deepEqual([...out], [3, 0]);
  ring.push(Float32Array.of(1, 2, 3, 4, 5, 6));
  ring.pull(out);
  assert.deepEqual([...out], [3, 4]);
  ring.clear();
  ring.pull(out);
  assert.deepEqual([...out], [0, 0]);
});

test("samples are written as a line carries them", () => {
  const line = toLine(Float32Array.of(0, 0.5, 1, 2, -1, -2));
  assert.deepEqual([...line], [0, 16384, 32767, 32767, -32767, -32767]);
  assert.ok(Math.abs(fromLine(line.buffer)[1] - 0.5) < 0.001);
});

test("the meter is steady for the ear", () => {
  assert.equal(loudness(new Float32Array(320)), 0);
  assert.equal(loudness(new Float32Array(0)), 0);
  assert.equal(loudness(new Float32Array(320).fill(1)), 1);
  assert.ok(Math.abs(loudness(new Float32Array(320).fill(0.001)) - 0) < 0.001, "-60 dB");
  assert.ok(Math.abs(loudness(new Float32Array(320).fill(0.0316)) - 0.5) < 0.01, "-30 dB");
});
