// API.
import { html } from "../vendor/preact.js";

export default function Screen() {
  return html`<h1>API</h1>`;
}
