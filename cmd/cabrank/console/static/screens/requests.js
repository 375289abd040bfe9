// Requests.
import { html } from "../vendor/preact.js";

export default function Screen() {
  return html`<h1>Requests</h1>`;
}
