// Key bindings of the whole page, and of the current screen.
import { useLayoutEffect } from "./vendor/preact.js";

/** @typedef {{key: string, does: string, run: (e: KeyboardEvent) => unknown}} Bound */

/** @type {Map<string, Bound[]>} */
const bound = new Map(); // by key, the last that was bound first

// bind binds keys until the returned function is called. keys is {key: [description,
// function]}; a key is the name in KeyboardEvent, with the prefix "Ctrl+" if that key is held.
/** @param {Keys} keys */
export function bind(keys) {
  const mine = Object.entries(keys).map(([key, [does, run]]) => ({ key, does, run }));
  for (const b of mine) bound.set(b.key, [b, ...(bound.get(b.key) || [])]);
  return () => {
    for (const b of mine) bound.set(b.key, (bound.get(b.key) || []).filter((other) => other !== b));
  };
}

// useKeys binds keys while a component is shown.
/** @param {Keys} keys @param {unknown[]} inputs */
export function useKeys(keys, inputs = []) { useLayoutEffect(() => bind(keys), inputs); }

// meanings lists the current bindings: [{key, does}].
export function meanings() {
  return [...bound.values()].filter((all) => all.length).map(([b]) => ({ key: b.key, does: b.does }));
}

// owners receive all typed keys, the last owner first: during a phone call, no other binding
// applies.
/** @type {((e: KeyboardEvent) => unknown)[]} */
const owners = [];

// useOwner passes each key without Ctrl to a function while own is true.
/** @param {boolean} own @param {(e: KeyboardEvent) => unknown} take */
export function useOwner(own, take) {
  useLayoutEffect(() => {
    if (!own) return undefined;
    owners.unshift(take);
    return () => { owners.splice(owners.indexOf(take), 1); };
  });
}

/** @typedef {Pick<HTMLElement, "isContentEditable" | "tagName">} At */

// isTyping reports whether keys at an element are text input.
/** @param {At} at */
export const isTyping = (at) => at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);

// isTaken reports whether an element itself handles a key without Ctrl.
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

// followKeys runs the bindings of pressed keys.
export const followKeys = () => addEventListener("keydown", pressed);
