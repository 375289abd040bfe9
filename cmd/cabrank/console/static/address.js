// The page's address is its state: /console/SCREEN?what=is&chosen=there.
import { store } from "./store.js";

const root = "/console/";

function read() {
  const screen = location.pathname.slice(root.length).split("/")[0] || "live";
  return { screen, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

export const address = store(read());
addEventListener("popstate", () => address.set(read()));

// kept are members of the query that stay from screen to screen.
const kept = ["sandbox", "present", "story"];

// href returns the address of a screen.
export function href(screen, query = {}) {
  const all = new URLSearchParams();
  const old = address.get().query;
  for (const name of kept) if (name in old) all.set(name, old[name]);
  for (const [name, value] of Object.entries(query)) if (value !== "" && value != null) all.set(name, value);
  const text = all.toString();
  return root + screen + (text && "?" + text);
}

// go shows a screen.
export function go(screen, query) {
  history.pushState(null, "", href(screen, query));
  address.set(read());
}

// setQuery changes members of the query of the screen that is shown; an empty one goes.
// It is no step back unless step is true.
export function setQuery(members, step = false) {
  const { screen, query } = address.get();
  const to = href(screen, { ...query, ...members });
  if (to === location.pathname + location.search) return;
  history[step ? "pushState" : "replaceState"](null, "", to);
  address.set(read());
}

// Links inside the console change the screen without loading the page again.
addEventListener("click", (e) => {
  const a = e.target.closest?.("a[href]");
  if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || a.target || a.hasAttribute("download")) return;
  const to = new URL(a.href, location.href);
  if (to.origin !== location.origin || !to.pathname.startsWith(root) || /\.\w+$|^\/console\/(platform|checks)\//.test(to.pathname)) return;
  e.preventDefault();
  history.pushState(null, "", to.pathname + to.search);
  address.set(read());
});
