// Outcomes of checks: how they are written, counted and ordered.

// tones are how outcomes look and are written; the mark stands beside the colour.
/** @type {Record<Outcome, [tone: string, mark: string, words: string]>} */
export const tones = {
  pass: ["pass", "✓", "passed"], fail: ["fail", "✗", "failed"], flaky: ["warn", "~", "flaky"], warn: ["warn", "!", "warnings"],
  observed: ["observed", "◦", "observed"], error: ["error", "?", "errors of the suite"], "not-verified": ["not-verified", "–", "not verified"],
};

// order is the order in which outcomes are counted.
/** @type {Outcome[]} */
export const order = ["pass", "fail", "flaky", "warn", "observed", "error", "not-verified"];

/** @type {Outcome[]} */
const bad = ["fail", "error", "flaky", "warn"]; // the worst first

const levels = ["must", "should", "robustness", "observed"];

// counted writes how many verdicts have an outcome.
/** @param {number} n @param {Outcome} o */
export const counted = (n, o) => `${n} ${n === 1 ? tones[o][2].replace(/s\b/, "") : tones[o][2]}`;

// countsOf counts the verdicts of each outcome.
/** @param {CheckVerdict[]} verdicts */
export function countsOf(verdicts) {
  /** @type {Partial<Record<Outcome, number>>} */
  const counts = {};
  for (const v of verdicts) if (v.outcome) counts[v.outcome] = (counts[v.outcome] || 0) + 1;
  return counts;
}

// isOver reports whether a check has ended.
/** @param {CheckSummary} run */
export const isOver = (run) => run.state === "done" || run.state === "failed";

// nameOf is the name of a verdict: a check and the operation that it was made of.
/** @param {CheckVerdict} v */
export const nameOf = (v) => v.id + "@" + v.operation;

// notPassed are the verdicts that did not pass.
/** @param {CheckVerdict[]} verdicts */
export const notPassed = (verdicts) => verdicts.flatMap((v) => (v.outcome && bad.includes(v.outcome) ? [{ ...v, outcome: v.outcome }] : []));

// failing lists what did not pass, the worst first.
/** @param {CheckVerdict[]} verdicts */
export const failing = (verdicts) => notPassed(verdicts)
  .sort((a, b) => bad.indexOf(a.outcome) - bad.indexOf(b.outcome) || levels.indexOf(a.level) - levels.indexOf(b.level));

// isLocal reports whether an address is of this machine.
/** @param {string} url */
export const isLocal = (url) => /^https?:\/\/(localhost|[^/]*\.localhost|127\.[\d.]+|\[::1\])([:/]|$)/i.test(url);
