// What modules of the page ask of a browser and of the server when they are read: where they are, what
// they kept, and Preact, which is kept compressed.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { gunzipSync } from "node:zlib";

const preact = gunzipSync(readFileSync(new URL("../../static/vendor/preact.js.gz", import.meta.url))).toString("base64");
register("data:text/javascript," + encodeURIComponent(`export const resolve = (name, from, next) => (name.endsWith("vendor/preact.js")
  ? { url: "data:text/javascript;base64,${preact}", shortCircuit: true } : next(name, from));`));

const store = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
Object.assign(globalThis, { location: new URL("http://127.0.0.1:8080/console/live?sandbox=a%20b"), sessionStorage: store, localStorage: store });
