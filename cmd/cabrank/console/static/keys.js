// Keys: those of the whole page, and those of the screen that is shown.
import { useLayoutEffect } from "./vendor/preact.js";

const bound = new Map(); // key: {does, run}, the last that was bound first

// bind gives keys a meaning until the function returned is called. keys is
// {key: [what it does, function]}; a key is what KeyboardEvent calls it, with "Ctrl+" before
// it if that is held.
export function bind(keys) {
  const mine = Object.entries(keys).map(([key, [does, run]]) => ({ key, does, run }));
  for (const b of mine) bound.set(b.key, [b, ...(bound.get(b.key) || [])]);
  return () => {
    for (const b of mine) bound.set(b.key, bound.get(b.key).filter((other) => other !== b));
  };
}

// useKeys binds keys for as long as a part is shown, from the moment that it can be seen.
export function useKeys(keys, inputs = []) { useLayoutEffect(() => bind(keys), inputs); }

// meanings lists what keys do now: [{key, does}].
export function meanings() {
  return [...bound.values()].filter((all) => all.length).map(([b]) => ({ key: b.key, does: b.does }));
}

// owners have what is typed for themselves, the last one first: while somebody is on the phone
// no key means anything else.
const owners = [];

// useOwner hands each key without Ctrl to a function, for as long as own is true.
export function useOwner(own, take) {
  useLayoutEffect(() => {
    if (!own) return undefined;
    owners.unshift(take);
    return () => { owners.splice(owners.indexOf(take), 1); };
  });
}

const typing = (at) => at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
const pressing = (at) => /^(BUTTON|SUMMARY|A)$/.test(at.tagName);

addEventListener("keydown", (e) => {
  if (e.metaKey || e.altKey || e.isComposing) return;
  const key = (e.ctrlKey ? "Ctrl+" : "") + e.key;
  if (!e.ctrlKey && e.key !== "Escape" && (typing(e.target) || (pressing(e.target) && (e.key === " " || e.key === "Enter")))) return;
  if (document.querySelector("dialog[open]")) return; // which has its own keys
  if (owners.length && !e.ctrlKey && e.key !== "Escape") return owners[0](e);
  const [b] = bound.get(key) || [];
  if (!b) return;
  e.preventDefault();
  b.run(e);
});
