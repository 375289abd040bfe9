// What can be had of a check that is over.
import { html } from "../vendor/preact.js";
import { hasToken, server } from "../api.js";
import { save } from "../parts.js";

const FORMS = [
  ["html", "HTML", ".html"], ["run", "Run file", ".run.json"], ["json", "JSON", ".json"], ["junit", "JUnit", ".xml"],
  ["markdown", "Markdown", ".md"], ["har", "HAR", ".har"],
];

// Reports are links to the report in a tab of its own, and to save it in each form.
/** @param {{run: CheckRun}} p */
export function Reports({ run }) {
  const path = `${server.prefix}/checks/${run.id}/report`;
  if (run.trouble && run.trouble.code !== "unreachable") return null;
  return html`<div class="filter reports" role="group" aria-label="Reports">
    ${!hasToken() && html`<a class="button" data-test="report" href=${path + "?as=html"} target="_blank" rel="noopener">Open the report</a>`}
    <span>Save as</span>
    ${FORMS.map(([as, title, ending]) => html`<button type="button" class="small" data-test=${"save-" + as}
      onClick=${() => save(`${path}?as=${as}&save`, `cabrank-check-${run.id}${ending}`)}>${title}</button>`)}
    <small>Phone numbers are replaced by pseudonyms.</small>
  </div>`;
}
