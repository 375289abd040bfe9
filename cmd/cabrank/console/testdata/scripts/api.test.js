import assert from "node:assert/strict";
import test from "node:test";
import { bodyOf, operations, rows, sample, typeOf } from "../../static/screens/api_document.js";
import { curl, pathOf } from "../../static/screens/api_try.js";

const doc = {
  components: { schemas: {
    Place: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 9 }, near: { $ref: "#/components/schemas/Place" } } },
    Both: { allOf: [{ $ref: "#/components/schemas/Place" }, { required: ["n"], properties: { n: { type: "integer", minimum: 3 } } }] },
    "a/b": { enum: ["x", "y"] },
  } },
  paths: { "/places/{id}": { parameters: [{ name: "id", in: "path", required: true }], get: { parameters: [{ name: "q", in: "query" }, { name: "X-A", in: "header" }] } } },
};
const of = (name) => ({ $ref: "#/components/schemas/" + name });

test("types are said in a few words", () => {
  assert.equal(typeOf(doc, of("Place")), "Place");
  assert.equal(typeOf(doc, { type: "array", items: of("a~1b") }), "list of word");
  assert.equal(typeOf(doc, { type: ["integer", "null"], minimum: 1 }), "integer or null, at least 1");
  assert.equal(typeOf(doc, { oneOf: [{ const: "now" }, { type: "string", format: "date-time" }] }), '"now" or string (date-time)');
});

test("members are listed once, though a schema has itself in it", () => {
  assert.deepEqual(rows(doc, of("Both")).map((r) => [r.path, r.required]), [["/name", true], ["/near", false], ["/near/name", true], ["/near/near", false], ["/n", true]]);
  assert.deepEqual(sample(doc, of("Both")), { name: "text", n: 3 });
});

test("an operation has its own parameters and its path's", () => {
  const [op] = operations(doc);
  assert.deepEqual([op.key, op.parameters.map((p) => p.name)], ["get /places/{id}", ["id", "q", "X-A"]]);
  assert.deepEqual(pathOf(op, { pathid: "a b", queryq: "1&2", "headerX-A": "h" }), { path: "/places/a%20b?q=1%262", headers: { "X-A": "h" } });
  assert.equal(pathOf(op, {}).path, "/places/{id}");
  assert.equal(bodyOf(doc, undefined), null);
});

test("a command quotes what a shell would take apart", () => {
  assert.equal(curl({ method: "POST", full: "http://x/y", shown: { A: "it's" }, body: "{}" }),
    String.raw`curl -sS -X POST 'http://x/y'` + " \\\n-H 'A: it'\\''s'" + " \\\n--data-raw '{}'");
});
