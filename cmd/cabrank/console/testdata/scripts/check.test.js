import assert from "node:assert/strict";
import test from "node:test";
import { counted, countsOf, failing, isLocal, isOver, nameOf, notPassed } from "../../static/screens/check_outcomes.js";
import { heard, standing } from "../../static/screens/check.js";

const verdict = (id, outcome, level = "must") => ({ id, operation: "book", level, outcome });
const verdicts = [verdict("B-1", "warn"), verdict("B-2", "pass"), verdict("B-3", "fail", "should"), verdict("B-4", "fail"), verdict("B-5")];

test("verdicts are counted by outcome", () => {
  assert.deepEqual(countsOf(verdicts), { warn: 1, pass: 1, fail: 2 });
  assert.equal(counted(1, "warn"), "1 warning");
  assert.equal(counted(2, "error"), "2 errors of the suite");
});

test("the worst comes first", () => {
  assert.deepEqual(notPassed(verdicts).map(nameOf), ["B-1@book", "B-3@book", "B-4@book"]);
  assert.deepEqual(failing(verdicts).map((v) => v.id), ["B-4", "B-3", "B-1"]);
});

test("this machine is known by its addresses", () => {
  for (const url of ["http://localhost:80", "https://a.localhost", "http://127.3.2.1/x", "http://[::1]:8080"]) assert.ok(isLocal(url), url);
  for (const url of ["http://localhost.example", "http://128.0.0.1", "https://127.example.org"]) assert.ok(!isLocal(url), url);
});

test("a check follows its events", () => {
  const run = { state: "running", verdicts, steps: [{ name: "a", ok: false }], progress: { done: 0 } };
  const after = heard(run, "verdicts", [{ at: 4, outcome: "pass", message: "found" }]);
  assert.deepEqual(after.verdicts[4], { ...verdicts[4], outcome: "pass", message: "found", fresh: true });
  assert.equal(run.verdicts[4].outcome, undefined, "what is shown is not changed under the page");
  assert.deepEqual(heard(run, "step", { name: "a", ok: true }).steps, [{ name: "a", ok: true }]);
  assert.equal(heard(run, "progress", { done: 7 }).progress.done, 7);
  assert.equal(heard(run, "state", { state: "stopping" }).state, "stopping");
  assert.equal(heard(run, "state", { state: "done" }), run, "a check that is over is read anew");
  assert.equal(heard(run, "something", {}), run);
});

test("a check says how it stands", () => {
  assert.deepEqual(standing({ state: "failed" }), ["could not begin", "fail"]);
  assert.deepEqual(standing({ state: "running" }), ["running", "observed"]);
  assert.deepEqual([0, 1, 2].map((exit) => standing({ state: "done", findings: {}, exit })[0]), ["passed", "failed", "not shown"]);
  assert.ok(isOver({ state: "failed" }) && !isOver({ state: "stopping" }));
});
