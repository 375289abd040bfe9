import assert from "node:assert/strict";
import test from "node:test";
import { Fleet } from "../../static/town/cars.js";
import { room } from "../../static/town/draw.js";
import { cut, routeOf } from "../../static/town/route.js";
import { build } from "../../static/town/shape.js";

test("a town is laid out around its middle, in metres", () => {
  const feature = (kind, type, coordinates, more) => ({ properties: { kind, ...more }, geometry: { type, coordinates } });
  const town = build({ centre: [0, 0], bbox: [0, 0, 0, 0], size: 1, features: [
    feature("outline", "Polygon", [[[0, 0], [0.01, 0], [0.01, 0.01]]]),
    feature("street", "LineString", [[0, 0], [0.01, 0]], { width: 10 }),
    feature("place", "Point", [0.01, 0], { name: "Station" }),
  ] });
  assert.equal(town.imported, false);
  const [x, y] = town.places[0].at;
  assert.ok(Math.abs(x / town.perMetre - 1113.2) < 1 && Math.abs(y) < 1e-6, `${x / town.perMetre}`);
  assert.deepEqual(town.streets[0].box.map(Math.round), [0, 0, Math.round(x), 0]);
  assert.ok(town.areas[0].box[1] < 0, "north is up");
});

test("cars drive from where they were shown to where they were seen", () => {
  const fleet = new Fleet(), town = { perMetre: 1, at: ([x, y]) => [x, y] };
  const told = (at, x, state = "free") => ({ at, vehicles: [{ id: "V1", state, journeyId: "J1", location: { longitude: x, latitude: 0 } }] });
  fleet.fix(told("2026-01-01T00:00:00Z", 0), town, 1000);
  fleet.fix(told("2026-01-01T00:00:01Z", 20), town, 2000);
  const half = 2000 + fleet.takes / 2, end = 2000 + fleet.takes;
  assert.equal(fleet.place(fleet.cars[0], half).x, 10);
  assert.ok(!fleet.settled(half) && fleet.settled(end));
  assert.equal(fleet.nearest(11, 0, 2)?.id, "V1");
  assert.equal(fleet.nearest(13, 0, 2), null);
  assert.equal(fleet.freeNear([20, 5], 10), 1);
  assert.equal(fleet.find("none", "J1").id, "V1");
  fleet.fix(told("2026-01-01T00:00:02Z", 9000), town, 3000);
  assert.equal(fleet.place(fleet.cars[0], 3000).x, 9000, "who is too far off was put there");
});

test("a way is cut where its car is", () => {
  const [passed, rest] = cut([[0, 0], [10, 0], [10, 10]], { x: 6, y: 1 });
  assert.deepEqual(passed, [[0, 0], [6, 0]]);
  assert.deepEqual(rest, [[6, 1], [6, 0], [10, 0], [10, 10]]);
});

test("a way ends at stops that are still ahead", () => {
  const leg = (to, done, stop, ...coordinates) => ({ geometry: { coordinates }, properties: { to, done, stop } });
  const told = { features: [leg("pickup", true, undefined, [0, 0], [1, 0]), leg("dropoff", true, 0, [1, 0], [2, 0]),
    leg("dropoff", false, 0, [2, 0], [3, 0]), leg("dropoff", false, 1, [3, 0], [4, 0])] };
  const route = routeOf(told, { at: (p) => p });
  assert.deepEqual(route.pickup, [1, 0]);
  assert.deepEqual(route.ends.map((e) => e.at), [[3, 0], [4, 0]]);
  assert.deepEqual([route.done.length, route.ahead.length], [2, 2]);
});

test("labels do not lie on one another", () => {
  const reserve = room();
  assert.ok(reserve([[0, 0], [10, 0]]));
  assert.ok(!reserve([[15, 5]]));
  assert.ok(reserve([[100, 100]]));
});
