// Keys: those of the whole page, and those of the screen that is shown.
import { useLayoutEffect } from "./vendor/preact.js";

/** @typedef {{key: string, does: string, run: (e: KeyboardEvent) => unknown}} Bound */

/** @type {Map<string, Bound[]>} */
const bound = new Map(); // by key, the last that was bound first

// bind gives keys a meaning until the function returned is called. keys is
// {key: [what it does, function]}; a key is what KeyboardEvent calls it, with "Ctrl+" before
// it if that is held.
/** @param {Keys} keys */
export function bind(keys) {
  const mine = Object.entries(keys).map(([key, [does, run]]) => ({ key, does, run }));
  for (const b of mine) bound.set(b.key, [b, ...(bound.get(b.key) || [])]);
  return () => {
    for (const b of mine) bound.set(b.key, (bound.get(b.key) || []).filter((other) => other !== b));
  };
}

// useKeys binds keys for as long as a part is shown, from the moment that it can be seen.
/** @param {Keys} keys @param {unknown[]} inputs */
export function useKeys(keys, inputs = []) { useLayoutEffect(() => bind(keys), inputs); }

// meanings lists what keys do now: [{key, does}].
export function meanings() {
  return [...bound.values()].filter((all) => all.length).map(([b]) => ({ key: b.key, does: b.does }));
}

// owners have what is typed for themselves, the last one first: while somebody is on the phone
// no key means anything else.
/** @type {((e: KeyboardEvent) => unknown)[]} */
const owners = [];

// useOwner hands each key without Ctrl to a function, for as long as own is true.
/** @param {boolean} own @param {(e: KeyboardEvent) => unknown} take */
export function useOwner(own, take) {
  useLayoutEffect(() => {
    if (!own) return undefined;
    owners.unshift(take);
    return () => { owners.splice(owners.indexOf(take), 1); };
  });
}

/** @typedef {Pick<HTMLElement, "isContentEditable" | "tagName">} At */

// isTyping reports whether what is typed at an element is text.
/** @param {At} at */
export const isTyping = (at) => at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);

// isTaken reports whether a key without Ctrl has a meaning of its own at an element.
/** @param {string} key @param {At} at */
export const isTaken = (key, at) => isTyping(at)
  || (/^(BUTTON|SUMMARY|A)$/.test(at.tagName) && (key === " " || key === "Enter"));

/** @param {KeyboardEvent} e */
function pressed(e) {
  if (e.metaKey || e.altKey || e.isComposing) return;
  const plain = !e.ctrlKey && e.key !== "Escape";
  if (plain && e.target instanceof HTMLElement && isTaken(e.key, e.target)) return;
  if (document.querySelector("dialog[open]")) return; // which has its own keys
  if (owners.length && plain) {
    owners[0](e);
    return;
  }
  const [b] = bound.get((e.ctrlKey ? "Ctrl+" : "") + e.key) || [];
  if (!b) return;
  e.preventDefault();
  b.run(e);
}

// followKeys runs what keys mean when they are pressed.
export const followKeys = () => addEventListener("keydown", pressed);
