// A value that components observe: they are redrawn when it changes.
import { useEffect, useState } from "./vendor/preact.js";

/**
 * @template T
 * @param {T} value
 * @returns {Store<T>}
 */
export function store(value) {
  /** @type {Set<(value: T) => void>} */
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const tell of [...watchers]) tell(value);
    },
    // change sets some members of a value that is an object.
    change(members) { this.set({ ...value, ...members }); },
    watch(tell) {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
  };
}

// useStore returns the part of a store's value that select returns, and redraws when that part
// changes.
/**
 * @template T
 * @overload
 * @param {Store<T>} of
 * @returns {T}
 */
/**
 * @template T, P
 * @overload
 * @param {Store<T>} of
 * @param {(value: T) => P} select
 * @returns {P}
 */
/**
 * @param {Store<unknown>} of
 * @param {(value: unknown) => unknown} select
 */
export function useStore(of, select = (v) => v) {
  const [, redraw] = useState(0);
  const now = select(of.get());
  useEffect(() => {
    let seen = now;
    const look = (/** @type {unknown} */ v) => {
      const picked = select(v);
      if (picked !== seen) { seen = picked; redraw((n) => n + 1); }
    };
    look(of.get());
    return of.watch(look);
  }, [of, now]);
  return now;
}
