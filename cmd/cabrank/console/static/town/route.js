// The way of a journey, in units.

// routeOf makes lines of units of a way that was told: what is done and what is to come.
/** @param {Route} told @param {Pick<Town, "at">} town @returns {DrawnRoute} */
export function routeOf(told, town) {
  /** @type {DrawnRoute["done"]} */
  const done = [];
  /** @type {DrawnRoute["ahead"]} */
  const ahead = [];
  const stops = [];
  for (const f of told.features) {
    const line = f.geometry.coordinates.map(town.at);
    (f.properties.done ? done : ahead).push({ line, to: f.properties.to });
    stops.push({ at: line[line.length - 1], to: f.properties.to, stop: f.properties.stop, done: f.properties.done });
  }
  const first = told.features.find((f) => f.properties.to === "dropoff");
  const pickup = first && town.at(first.geometry.coordinates[0]);
  const isAhead = (/** @type {number | undefined} */ stop) => told.features.some((f) => !f.properties.done && f.properties.stop === stop);
  return { done, ahead, pickup, ends: stops.filter((s) => s.to === "dropoff" && !(s.done && isAhead(s.stop))) };
}

// cut is what a car has passed of a line that it drives, and what is to come.
/** @param {Units[]} line @param {{x: number, y: number}} car @returns {[passed: Units[], rest: Units[]]} */
export function cut(line, car) {
  let best = 0, far = Infinity, foot = line[0];
  for (let i = 0; i + 1 < line.length; i++) {
    const [ax, ay] = line[i], dx = line[i + 1][0] - ax, dy = line[i + 1][1] - ay, l2 = dx * dx + dy * dy;
    const t = l2 ? Math.min(1, Math.max(0, ((car.x - ax) * dx + (car.y - ay) * dy) / l2)) : 0;
    const d = Math.hypot(ax + dx * t - car.x, ay + dy * t - car.y);
    if (d < far - 1e-9) { far = d; best = i; foot = [ax + dx * t, ay + dy * t]; }
  }
  return [[...line.slice(0, best + 1), foot], [[car.x, car.y], foot, ...line.slice(best + 1)]];
}
