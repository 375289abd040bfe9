// What can be had of a check that is over.
import { html } from "../vendor/preact.js";
import { server } from "../api.js";
import { save } from "../parts.js";

const FORMS = [["html", "HTML"], ["run", "Run file"], ["json", "JSON"], ["junit", "JUnit"], ["markdown", "Markdown"], ["sarif", "SARIF"], ["har", "HAR"]];
const endings = { html: ".html", run: ".run.json", json: ".json", junit: ".xml", markdown: ".md", sarif: ".sarif", har: ".har" };
const hasToken = () => Boolean(sessionStorage.getItem("cabrank-token"));

// Reports are links to the report in a tab of its own, and to save it in each form.
export function Reports({ run }) {
  const path = `${server.prefix}/checks/${run.id}/report`;
  if (run.trouble && run.trouble.code !== "unreachable") return null;
  return html`<div class="filter reports" role="group" aria-label="Reports">
    ${!hasToken() && html`<a class="button" data-test="report" href=${path + "?as=html"} target="_blank" rel="noopener">Open the report</a>`}
    <span>Save as</span>
    ${FORMS.map(([as, title]) => html`<button type="button" class="small" data-test=${"save-" + as} onClick=${() => save(`${path}?as=${as}&save`, `cabrank-check-${run.id}${endings[as]}`)}>${title}</button>`)}
    <small>Phone numbers are replaced by pseudonyms.</small>
  </div>`;
}
