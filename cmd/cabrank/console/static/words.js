// Formats of times, prices, places and numbers.

// Times of day are in the firm's time zone, with 24 hours.
/** @param {Intl.DateTimeFormatOptions} options */
const zoned = (options) => new Intl.DateTimeFormat("en-GB",
  { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone, ...options });
/** @type {string | undefined} */
let zone;
let hours = zoned({ second: "2-digit" }); // once: making one is slow

// setZone sets the firm's time zone.
/** @param {string | undefined} name */
export function setZone(name) {
  if (!name || name === zone) return;
  zone = name;
  hours = zoned({ second: "2-digit" });
}

// hour formats a time of day with seconds; ms is a number or an RFC 3339 text.
/** @param {number | string} ms */
export const hour = (ms) => { const t = new Date(ms); return isNaN(t.getTime()) ? "" : hours.format(t); };

// timeOf formats a time of day, with its weekday if it is not today.
/** @param {number} ms @param {number} [today] */
export function timeOf(ms, today) {
  const day = zoned({ day: "numeric", hour: undefined, minute: undefined });
  return zoned(today && day.format(ms) !== day.format(today) ? { weekday: "short" } : {}).format(ms);
}

// dayOf formats the day in the firm's time zone.
/** @param {number} ms */
export const dayOf = (ms) => new Intl.DateTimeFormat("en-GB",
  { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: zone }).format(ms);

// count formats a number with its noun.
/** @param {number} n @param {string} one */
export const count = (n, one) => `${n} ${one.replace(/s$/, "")}${n === 1 ? "" : "s"}`;

// price formats a price; "" if there is none.
/** @param {Price | null | undefined} p */
export function price(p) {
  if (!p || p.value == null) return "";
  try {
    return new Intl.NumberFormat([], { style: "currency", currency: p.currency }).format(p.value);
  } catch {
    return `${p.value} ${p.currency || ""}`;
  }
}

// judged maps a verdict to its tone.
/** @type {Record<Judgement, Tone>} */
export const judged = { ok: "pass", warn: "warn", fail: "fail" };

// place returns the first part of an address.
/** @param {Address | null | undefined} a */
export const place = (a) => (a?.address || "").split(",")[0];

// masked hides all but the last three digits of a phone number.
/** @param {string | null | undefined} number */
export const masked = (number) => {
  const digits = String(number || "").replace(/\D/g, "");
  return digits ? "••• " + digits.slice(-3) : "";
};
