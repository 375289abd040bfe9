// Everything here is a convenience: the page reads the same without it.
const reveal = () => {
  const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let e = at; e; e = e.parentElement) {
    if (e.tagName === "DETAILS") e.open = true;
    if (e.classList.contains("row")) e.hidden = false;
  }
  if (at) at.scrollIntoView({ block: "start" });
};
const forms = {};
for (const form of document.querySelectorAll(".filter")) {
  const rows = [...form.nextElementSibling.querySelectorAll(":scope > .row")];
  const apply = () => {
    const want = Object.fromEntries(new FormData(form));
    const words = want.q.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = (row.tagName === "DETAILS" ? row.firstElementChild : row).textContent.toLowerCase();
      const fits = words.every((w) => text.includes(w)) &&
        (!want.level || row.dataset.level === want.level) &&
        (!want.operation || row.dataset.operation.split(" ").includes(want.operation)) &&
        (!want.outcome || (want.outcome === "!pass" ? row.dataset.outcome !== "pass" : row.dataset.outcome === want.outcome));
      row.hidden = !fits;
      if (fits) shown++;
    }
    form.querySelector("output").textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (e) => e.preventDefault());
  forms[form.closest("section").id] = { form, apply };
  const open = form.elements.outcome.querySelector('[value="!pass"]');
  if (open && rows.some((row) => row.dataset.outcome !== "pass")) {
    open.selected = true; // nobody reads what passed first
    apply();
  }
}
for (const key of ["level", "operation"]) {
  for (const link of document.querySelectorAll(`[data-filter-${key}]`)) {
    link.addEventListener("click", () => {
      const { form, apply } = forms.checks;
      form.reset();
      form.elements.outcome.value = "";
      form.elements[key].value = link.getAttribute(`data-filter-${key}`);
      apply();
    });
  }
}
for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.nextElementSibling.textContent);
    button.textContent = "copied";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
}

// Colour keys and strings of JSON when it comes into view.
const token = /"(?:[^"\\]|\\.)*"(\s*:)?/g;
const colour = (pre) => {
  const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".label")) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = document.createDocumentFragment();
    let at = 0;
    for (const m of text.data.matchAll(token)) {
      parts.append(text.data.slice(at, m.index));
      const e = document.createElement(m[1] ? "b" : "s");
      e.textContent = m[0];
      parts.append(e);
      at = m.index + m[0].length;
    }
    parts.append(text.data.slice(at));
    text.replaceWith(parts);
  }
};
// Bring what is marked into view when a call is opened.
document.addEventListener("toggle", (e) => {
  for (const mark of e.target.querySelectorAll?.("pre mark") ?? []) {
    const pre = mark.closest("pre");
    pre.scrollTop = Math.max(0, mark.offsetTop - pre.offsetTop - 80);
  }
}, true);

const seen = new IntersectionObserver((entries) => {
  for (const e of entries) if (e.isIntersecting) { seen.unobserve(e.target); colour(e.target); }
});
for (const pre of document.querySelectorAll("pre.json")) seen.observe(pre);

addEventListener("hashchange", reveal);
if (location.hash) reveal();
