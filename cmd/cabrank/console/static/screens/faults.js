// Faults & clock.
import { html } from "../vendor/preact.js";

export default function Screen() {
  return html`<h1>Faults & clock</h1>`;
}
