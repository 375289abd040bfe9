// Live.
import { html } from "../vendor/preact.js";

export default function Screen() {
  return html`<h1>Live</h1>`;
}
