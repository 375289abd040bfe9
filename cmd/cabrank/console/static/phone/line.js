// A call with a microphone: sound in both directions over one WebSocket.
import { store } from "../store.js";

/** @typedef {{level: number, hearing: boolean, held: boolean, open: boolean}} Heard */
/** @typedef {{act: (what: {press?: string, say?: string, hangup?: boolean}) => Promise<null>, hold: (talks: boolean) => void, push: (on: boolean) => void, state: Store<Heard>, speaks: boolean, understands: boolean}} SoundLine */

// lines are the calls of this page that have sound.
/** @type {Map<string, SoundLine>} */
export const lines = new Map();

// hears reports whether this page may have a microphone: browsers give one to this machine and to https.
export const hears = globalThis.isSecureContext;

/** @type {Record<string, string>} */
const refusals = { NotAllowedError: "Allow this page to use the microphone, then call again.", NotFoundError: "The browser finds no microphone." };

// sound is the audio of a line: hear(message, level) is called for each message that is to be sent. Where nobody
// understands speech, the microphone is not asked for.
/** @param {boolean} understands @param {(message: ArrayBuffer, level: number) => void} hear */
async function sound(understands, hear) {
  const media = understands && await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: false, autoGainControl: false, channelCount: 1 } })
    .catch((err) => { throw new Error(refusals[err.name] || err.message); });
  const context = new AudioContext();
  const end = () => {
    if (media) for (const track of media.getTracks()) track.stop();
    context.close().catch(() => {});
  };
  try {
    await context.audioWorklet.addModule(new URL("worklet.js", import.meta.url));
    await context.resume();
    const node = new AudioWorkletNode(context, "line", { outputChannelCount: [1] });
    node.port.onmessage = ({ data }) => hear(data.message, data.level);
    if (media) context.createMediaStreamSource(media).connect(node);
    node.connect(context.destination);
    return { end, port: node.port };
  } catch (err) {
    end();
    throw err;
  }
}

// ringWith opens a line to the platform with the microphone, and returns the call's id. can is whether prompts are
// heard and speech is understood.
/** @param {string} path @param {string[]} protocols @param {{speaks: boolean, understands: boolean}} can @returns {Promise<string>} */
export async function ringWith(path, protocols, { speaks, understands }) {
  /** @type {WebSocket | null} */
  let socket = null;
  const state = store(/** @type {Heard} */ ({ level: 0, hearing: false, held: false, open: true }));
  const mic = await sound(understands, (message, level) => {
    if (Math.abs(level - state.get().level) > 0.03) state.change({ level });
    if (socket?.readyState === 1 && socket.bufferedAmount < 64000) socket.send(message);
  });
  const listens = () => mic.port.postMessage(state.get().open || state.get().held);
  /** @param {object} what */
  const send = async (what) => { socket?.send(JSON.stringify(what)); return null; };
  /** @type {SoundLine} */
  const line = {
    state, speaks, understands,
    act: ({ press, say, hangup }) => (press ? Promise.all([...press].map((key) => send({ key }))).then(() => null) : send(hangup ? { hangup } : { say })),
    hold: (held) => { state.change({ held }); listens(); },
    push: (on) => { state.change({ open: !on }); listens(); },
  };
  return new Promise((done, fail) => {
    let call = "";
    socket = new WebSocket(path, protocols);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) return mic.port.postMessage(data, [data]);
      const told = JSON.parse(data);
      if (told.stop) mic.port.postMessage("stop");
      if ("hearing" in told) state.change({ hearing: told.hearing });
      if (told.refused) fail(new Error(told.refused));
      if (told.call) call = told.call;
      if (!told.state || lines.has(call)) return undefined;
      lines.set(call, line);
      return done(call);
    };
    socket.onclose = () => {
      mic.end();
      lines.delete(call);
      fail(new Error("no call with a microphone"));
    };
  });
}
