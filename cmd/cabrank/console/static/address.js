// The page's address is its state: /console/SCREEN?what=is&chosen=there.
import { store } from "./store.js";

const root = "/console/";

/** @returns {Address_} */
function read() {
  const screen = location.pathname.slice(root.length).split("/")[0] || "live";
  return { screen, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

export const address = store(read());

// kept are members of the query that stay when the screen changes.
const kept = ["sandbox", "present", "story"];

// href returns the address of a screen.
/** @param {string} screen @param {Query} [query] */
export function href(screen, query = {}) {
  const all = new URLSearchParams();
  const old = address.get().query;
  for (const name of kept) if (name in old) all.set(name, old[name]);
  for (const [name, value] of Object.entries(query)) if (value !== "" && value != null) all.set(name, String(value));
  const text = all.toString();
  return root + screen + (text && "?" + text);
}

// go changes to a screen.
/** @param {string} screen @param {Query} [query] */
export function go(screen, query) {
  history.pushState(null, "", href(screen, query));
  address.set(read());
}

// setQuery changes members of the query of the current screen; an empty value removes a
// member. It adds an entry to the browser's history only if step is true.
/** @param {Query} members */
export function setQuery(members, step = false) {
  const { screen, query } = address.get();
  const to = href(screen, { ...query, ...members });
  if (to === location.pathname + location.search) return;
  history[step ? "pushState" : "replaceState"](null, "", to);
  address.set(read());
}

// isScreen reports whether a URL is that of a screen, and not of a file or a request.
/** @param {URL} to */
export const isScreen = (to) => to.origin === location.origin && to.pathname.startsWith(root)
  && !/\.\w+$|^\/console\/(platform|checks)\//.test(to.pathname);

// clicked handles a link inside the console without loading the page again.
/** @param {MouseEvent} e */
function clicked(e) {
  const a = e.target instanceof Element && /** @type {HTMLAnchorElement | null} */ (e.target.closest("a[href]"));
  if (!a || a.target || a.hasAttribute("download")) return;
  if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey) return;
  const to = new URL(a.href, location.href);
  if (!isScreen(to)) return;
  e.preventDefault();
  history.pushState(null, "", to.pathname + to.search);
  address.set(read());
}

// followAddress handles links and the browser's Back button.
export function followAddress() {
  addEventListener("popstate", () => address.set(read()));
  addEventListener("click", clicked);
}
