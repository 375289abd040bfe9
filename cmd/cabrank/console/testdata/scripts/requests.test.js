import assert from "node:assert/strict";
import test from "node:test";
import { parse, toggle } from "../../static/screens/calls.js";
import { leaves } from "../../static/screens/call.js";
import { folded } from "../../static/screens/requests.js";
import { below, layOut, missing } from "../../static/screens/wire.js";

test("a search is words with filters, or plain ones", () => {
  assert.deepEqual(parse("op:BOOK verdict:Fail phone:+44").match, { op: "book", verdict: "fail", phone: "+44" });
  assert.deepEqual(parse("status ok 5xx +442079460001 P-05 J7ABCD u-ann").match,
    { op: "status", verdict: "ok", status: "5xx", phone: "+442079460001", rule: "P-05", journeyId: "J7ABCD", userId: "u-ann" });
  assert.match(parse("colour:red").wrong, /“colour:red” is not understood/);
});

test("a word of a search takes the place of others of its filter", () => {
  assert.equal(toggle("op:book phone:1", "op:user"), "phone:1 op:user");
  assert.equal(toggle("book phone:1", "op:user"), "phone:1 op:user");
  assert.equal(toggle("op:book phone:1", "op:book"), "phone:1");
});

test("calls of /status that are alike are one line until something else is called", () => {
  const call = (id, op = "status", journeyId = "J1") => ({ id, op, journeyId, status: 200, verdict: "ok", answerVerdict: "ok" });
  const rows = [call(5), call(4), call(3, "book"), call(2), call(1, "status", "J2")];
  assert.deepEqual(folded(rows, false).map(({ ids }) => ids.filter(Boolean)), [[5, 4], [3], [2], [1]]);
  assert.equal(folded(rows, true).length, 5);
});

test("JSON is laid out as it was sent", () => {
  const lines = layOut('{"a/b": [1.0, {}], "n": 1e2, "n": null}');
  assert.deepEqual(lines.map((l) => [l.at, l.value]),
    [["", "{"], ["/a~1b", "["], ["/a~1b/0", "1.0"], ["/a~1b/1", "{}"], ["/a~1b", "]"], ["/n", "1e2"], ["/n", "null"], ["", "}"]]);
  assert.deepEqual(below(lines, "/a~1b").map((l) => [l.at, l.deep]), [["", 0], ["/0", 1], ["/1", 1], ["", 0]]);
  assert.deepEqual(leaves(lines), { "/a~1b/0": 1, "/n": null });
});

test("what is missing has a line where it should be", () => {
  const lines = missing(layOut('{"pickup": {}}'), [{ pointer: "/pickup/address" }]);
  assert.deepEqual(lines.map((l) => l.ghost || l.value), ["{", "{", "address", "}", "}"]);
});
