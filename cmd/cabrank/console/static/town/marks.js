// What is drawn above the town beside its cars: ways, pins and how many cars stand at a rank.
import { CARS, put, stamp } from "./cars.js";
import { cut } from "./route.js";

/** @param {Canvas2D} g @param {View} v @param {DrawnRoute} route @param {{x: number, y: number} | null} car */
export function drawRoute(g, v, route, car) {
  /** @param {Units[]} line @param {string} colour @param {number} wide @param {number[]} [dash] */
  const stroke = (line, colour, wide, dash = []) => {
    g.beginPath();
    for (const [x, y] of line) g.lineTo(x * v.scale + v.x, y * v.scale + v.y); // the first begins
    g.strokeStyle = colour;
    g.lineWidth = wide;
    g.lineJoin = g.lineCap = "round";
    g.setLineDash(dash);
    g.stroke();
    g.setLineDash([]);
  };
  const dots = (/** @type {Units[]} */ line) => stroke(line, "#6b675e99", 4, [1, 8]);
  for (const { line } of route.done) dots(line);
  route.ahead.forEach(({ line, to }, i) => {
    const [passed, rest] = i === 0 && car && (route.done.length || to === "pickup") ? cut(line, car) : [null, line];
    if (passed) dots(passed);
    stroke(rest, "#ffffffd0", 9);
    stroke(rest, to === "pickup" ? "#3d7fd0" : "#2a9d6f", 5, i === 0 ? [] : [10, 9]);
  });
}

// drawRanks writes how many cars stand at ranks where there are several: they hide one another.
/** @param {Canvas2D} g @param {View} v @param {{at: Units, n: number}[]} ranks */
export function drawRanks(g, v, ranks) {
  g.font = 'bold 11px system-ui, "DejaVu Sans", sans-serif';
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const { at: [ux, uy], n } of ranks) {
    if (n < 2) continue;
    const x = ux * v.scale + v.x - 11, y = uy * v.scale + v.y - 13, half = n > 9 ? 11 : 8;
    g.beginPath();
    g.roundRect(x - half, y - 8, 2 * half, 16, 8);
    g.fillStyle = "#1c1b18";
    g.fill();
    g.lineWidth = 1.5;
    g.strokeStyle = "#fff";
    g.stroke();
    g.fillStyle = "#fff";
    g.fillText(String(n), x, y + 0.5);
  }
}

// pin draws a drop with a letter, its tip at a place.
/** @param {Canvas2D} g @param {View} v @param {Units} at @param {string} colour @param {string} letter */
export function pin(g, v, [ux, uy], colour, letter) {
  const x = ux * v.scale + v.x, y = uy * v.scale + v.y, r = 12;
  g.beginPath();
  g.moveTo(x, y);
  g.bezierCurveTo(x - 3, y - r, x - r, y - r * 1.1, x - r, y - r * 2);
  g.arc(x, y - r * 2, r, Math.PI, 0);
  g.bezierCurveTo(x + r, y - r * 1.1, x + 3, y - r, x, y);
  g.fillStyle = colour;
  g.fill();
  g.lineWidth = 2;
  g.strokeStyle = "#fff";
  g.stroke();
  g.fillStyle = "#fff";
  g.font = 'bold 13px system-ui, "DejaVu Sans", sans-serif';
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(letter, x, y - r * 2 + 0.5);
}

/** @param {Canvas2D} g @param {View} v @param {DrawnRoute} route */
export function drawEnds(g, v, route) {
  if (route.pickup) pin(g, v, route.pickup, "#2b62a8", "A");
  route.ends.forEach((e, i) => pin(g, v, e.at, "#1f7a55", String.fromCharCode(66 + i)));
}

const mostPins = 400;
/** @type {Map<string, ImageBitmap>} */
const pins = new Map(); // by colour and ratio

// drawPins marks where passengers wait, and where those on board go to.
/** @param {Canvas2D} g @param {Town} town @param {View & {ratio: number}} v @param {Journey[]} journeys @param {{journeyId?: string} | null} chosen */
export function drawPins(g, town, v, journeys, chosen) {
  g.setTransform(1, 0, 0, 1, 0, 0);
  for (const j of journeys.slice(0, mostPins)) {
    if (chosen?.journeyId === j.journeyId) continue;
    const to = j.status === "POB", place = to ? j.dropoffs?.at(-1)?.location : j.pickup?.location;
    if (!place) continue;
    const [ux, uy] = town.at([place.longitude, place.latitude]), x = ux * v.scale + v.x, y = uy * v.scale + v.y;
    if (x < 0 || y < 0 || x > v.width || y > v.height) continue;
    const colour = to ? "#2a9d6f" : j.status === "WAITING" ? "#c02626" : CARS["to-pickup"][1];
    put(g, pinOf(colour, v.ratio, to), x, y, v.ratio);
  }
  g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
}

// drawNames writes who is in a taxi, or waits for it, of those who call from the room.
/** @param {Canvas2D} g @param {View} v @param {import("./cars.js").Fleet} fleet @param {Journey[]} journeys */
export function drawNames(g, v, fleet, journeys) {
  g.font = 'bold 14px system-ui, "DejaVu Sans", sans-serif';
  g.strokeStyle = "#fff";
  g.fillStyle = "#1c1b18";
  g.lineWidth = 4;
  for (const { journeyId, passenger } of journeys) {
    const car = fleet.find("", journeyId);
    if (!car || !passenger?.phoneNumber.includes("120255501")) continue;
    const x = car.x * v.scale + v.x, y = car.y * v.scale + v.y - 18;
    g.strokeText(passenger.name, x, y);
    g.fillText(passenger.name, x, y);
  }
}

// pinOf is the picture of a pin: a disc, or a square at an end.
/** @param {string} colour @param {number} ratio @param {boolean} square */
function pinOf(colour, ratio, square) {
  const key = colour + ratio;
  const made = pins.get(key) || stamp(16, ratio, (p) => {
    p.beginPath();
    if (square) p.rect(-4, -4, 8, 8);
    else p.arc(0, 0, 5, 0, 7);
    p.fillStyle = colour;
    p.fill();
    p.lineWidth = 2;
    p.strokeStyle = "#fff";
    p.stroke();
  });
  pins.set(key, made);
  return made;
}
