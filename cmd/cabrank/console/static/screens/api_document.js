// Reading an OpenAPI document.
/** @type {Method[]} */
const METHODS = ["get", "post", "put", "patch", "delete"];
const mostDepth = 5;

// resolve follows references within the document.
/**
 * @template {{$ref?: string} | undefined} T
 * @param {OpenAPIDocument} doc
 * @param {T} of
 * @returns {T}
 */
export function resolve(doc, of, hops = 0) {
  if (!of?.$ref || hops > 9) return of;
  const keys = of.$ref.replace(/^#\//, "").split("/").map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = keys.reduce((/** @type {any} */ at, key) => at?.[key], doc); // a document is any JSON
  const { $ref, ...rest } = of;
  return { ...resolve(doc, found, hops + 1), ...rest };
}

// operations lists all of them, in the order of the document.
/** @typedef {OpenAPIOperation & {method: Method, path: string, key: string, tag: string, parameters: Parameter[]}} Listed */
/** @param {OpenAPIDocument} doc */
export function operations(doc) {
  /** @type {Listed[]} */
  const list = [];
  for (const [path, item] of Object.entries(doc.paths || {})) {
    for (const method of METHODS) {
      const op = item[method];
      if (!op) continue;
      list.push({ ...op, method, path, key: op.operationId || method + " " + path, tag: op.tags?.[0] || "Operations",
        parameters: [...(item.parameters || []), ...(op.parameters || [])].map((p) => resolve(doc, p)) });
    }
  }
  return list;
}

// merged puts the parts of an allOf into one schema.
/** @param {OpenAPIDocument} doc @param {Schema | undefined} of @returns {Schema} */
export function merged(doc, of) {
  const s = resolve(doc, of) || {};
  if (!s.allOf) return s;
  return s.allOf.map((p) => merged(doc, p)).reduce((all, p) => ({
    ...all, ...p, properties: { ...all.properties, ...p.properties }, required: [...(all.required || []), ...(p.required || [])],
  }), { ...s, allOf: undefined });
}

/** @param {Schema | undefined} of */
const nameOf = (of) => of?.$ref?.split("/").pop();

// typeOf says in a few words what a value is.
/** @param {OpenAPIDocument} doc @param {Schema | undefined} of @returns {string} */
export function typeOf(doc, of) {
  const s = merged(doc, of);
  const either = s.oneOf || s.anyOf;
  if (either) return either.map((e) => typeOf(doc, e)).join(" or ");
  const otherwise = s.properties ? "object" : s.enum ? "word" : s.const !== undefined ? JSON.stringify(s.const) : "any value";
  const type = [s.type || otherwise].flat().join(" or ");
  if (type.startsWith("array")) return "list of " + typeOf(doc, s.items || {});
  const bounds = [s.minimum != null && `at least ${s.minimum}`, s.maximum != null && `at most ${s.maximum}`,
    s.maxLength && `up to ${s.maxLength} characters`].filter(Boolean).join(", ");
  return (nameOf(of) && s.properties ? nameOf(of) : type) + (s.format ? ` (${s.format})` : "") + (bounds ? `, ${bounds}` : "");
}

// rows lists the members of an object, and below each those of its own.
/** @typedef {{name: string, path: string, depth: number, required: boolean, type: string, schema: Schema, example: unknown}} Row */
/** @param {OpenAPIDocument} doc @param {Schema | undefined} of @param {string[]} above @returns {Row[]} */
export function rows(doc, of, depth = 0, path = "", above = []) {
  const s = merged(doc, of);
  const name = nameOf(of);
  if (depth > mostDepth || (name && above.includes(name))) return [];
  const seen = name ? [...above, name] : above;
  const either = s.oneOf || s.anyOf;
  if (either) return either.flatMap((e) => rows(doc, e, depth, path, seen)).filter((r, i, all) => all.findIndex((o) => o.path === r.path) === i);
  if (s.items) return rows(doc, s.items, depth, path + "[]", seen);
  return Object.entries(s.properties || {}).flatMap(([key, value]) => {
    const own = merged(doc, value);
    const example = own.example ?? own.examples?.[0] ?? own.const, below = path + "/" + key;
    return [{ name: key, path: below, depth, required: Boolean(s.required?.includes(key)), type: typeOf(doc, value), schema: own, example },
      ...rows(doc, value, depth + 1, below, seen)];
  });
}

// sample makes up a value that fits a schema.
/** @param {OpenAPIDocument} doc @param {Schema | undefined} of @returns {unknown} */
export function sample(doc, of, depth = 0, whole = false) {
  const s = merged(doc, of);
  const given = s.example ?? s.examples?.[0] ?? s.default ?? s.const ?? s.enum?.[0];
  if (given !== undefined || depth > mostDepth) return given ?? null;
  const either = s.oneOf || s.anyOf;
  if (either) return sample(doc, either[0], depth, whole);
  const [type] = [s.type || "object"].flat();
  switch (type) {
    case "array": return [sample(doc, s.items || {}, depth + 1, whole)];
    case "string": return s.format === "date-time" ? new Date().toISOString() : "text";
    case "integer": case "number": return s.minimum ?? 1;
    case "boolean": return false;
  }
  const members = Object.entries(s.properties || {}).filter(([k]) => whole || !s.required?.length || s.required.includes(k));
  return Object.fromEntries(members.map(([k, of]) => [k, sample(doc, of, depth + 1, whole)]));
}

// bodyOf is what a request or an answer holds: {media, schema, examples: [[title, value]]}.
/** @param {OpenAPIDocument} doc @param {Content | undefined} of @returns {{media: string, schema: Schema, examples: [string, JSONValue][]} | null} */
export function bodyOf(doc, of) {
  const [media, content] = Object.entries(resolve(doc, of)?.content || {})[0] || [];
  if (!content) return null;
  /** @type {[string, JSONValue][]} */
  const examples = Object.entries(content.examples || {}).map(([key, e]) => {
    const one = resolve(doc, e);
    return [one.summary || key, one.value];
  });
  if (content.example !== undefined) examples.unshift(["", content.example]);
  return { media, schema: content.schema || {}, examples };
}
