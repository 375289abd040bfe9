// The town on a map that is moved and zoomed, with its cars. Leaflet moves and zooms; the
// town is drawn once for a view, the cars on a canvas above for as long as one moves.
import { CARS, Fleet, drawCars, put, stamp } from "./cars.js";
import { background, drawTown, palette } from "./draw.js";
import { scaleAt } from "./town.js";

let leaflet = null;

// load loads Leaflet and its style sheet.
function load() {
  return (leaflet ||= (async () => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/console/vendor/leaflet.css" });
    await Promise.all([
      import("../vendor/leaflet.js"),
      new Promise((done, fail) => { sheet.onload = done; sheet.onerror = fail; document.head.append(sheet); }),
    ]);
    return canvasLayer(window.L);
  })());
}

// canvasLayer makes a layer of a canvas that is as large as the view and a bit, and is moved
// and zoomed with the map until it is drawn anew: draw(g, view).
function canvasLayer(L) {
  return L.Renderer.extend({
    _initContainer() {
      this._container = document.createElement("canvas");
      this._container.setAttribute("aria-hidden", "true");
      this.g = this._container.getContext("2d");
    },
    _destroyContainer() { this._container.remove(); delete this._container; },
    _updatePaths() {},
    _onZoomEnd() {},
    _update() {
      if (this._map._animatingZoom && this._bounds) return;
      L.Renderer.prototype._update.call(this);
      const size = this._bounds.getSize(), ratio = Math.min(devicePixelRatio || 1, 2), c = this._container;
      if (c.width !== size.x * ratio || c.height !== size.y * ratio) {
        c.width = size.x * ratio;
        c.height = size.y * ratio;
        c.style.width = size.x + "px";
        c.style.height = size.y + "px";
      }
      L.DomUtil.setPosition(c, this._bounds.min);
      this.ratio = ratio;
      this.draw();
    },
    // view is how units become pixels of the canvas.
    view(town) {
      const zoom = this._zoom, scale = scaleAt(zoom), size = this._bounds.getSize();
      const middle = this._map.project(town.centre, zoom).subtract(this._map._getNewPixelOrigin(this._center, zoom)).subtract(this._bounds.min);
      return { scale, x: middle.x, y: middle.y, width: size.x, height: size.y, ratio: this.ratio };
    },
    draw() { if (this._bounds) this.options.draw(this); },
    // unitsAt is the place of the town at a point of the map's container.
    unitsAt(town, p) {
      const v = this.view(town), at = this._map.containerPointToLayerPoint(p).subtract(this._bounds.min);
      return [(at.x - v.x) / v.scale, (at.y - v.y) / v.scale];
    },
  });
}

// makeMap puts a map of a town into an element. pick({journeyId, carId}) is called when a
// car is chosen. What it returns changes what is shown; stop() takes it down.
export async function makeMap(el, town, pick) {
  const Canvas = await load();
  const L = window.L;
  if (!el.isConnected) return null;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(el, { zoomSnap: 0.25, zoomDelta: 0.5, minZoom: 9, maxZoom: 19, attributionControl: false, zoomAnimation: !still, fadeAnimation: false, inertia: !still });
  if (town.attribution) L.control.attribution({ prefix: false }).addAttribution(town.attribution.replace(/[<&]/g, (c) => ({ "<": "&lt;", "&": "&amp;" })[c])).addTo(map);
  const [w, s, e, n] = town.bbox;
  const whole = L.latLngBounds([s, w], [n, e]);
  map.setMaxBounds(whole.pad(1));
  const fleet = new Fleet();
  const ranks = town.places.filter((p) => p.place === "taxi rank").map(({ at }) => ({ at, n: 0 }));
  const shown = { journeys: [], route: null, chosen: null, caller: null };
  let colours = palette(), frame = 0, drawn = 0;

  const base = new Canvas({ padding: 0.25, pane: "tilePane", draw: (layer) => {
    const v = layer.view(town);
    layer.g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    drawTown(layer.g, town, v, colours);
  } });
  const above = new Canvas({ padding: 0.04, pane: "overlayPane", draw: () => drawAbove(performance.now()) });

  function drawAbove(now) {
    const v = above.view(town), g = above.g;
    g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    g.clearRect(0, 0, v.width, v.height);
    const car = chosenCar();
    if (car) fleet.place(car, now);
    drawPins(g, town, v, shown.journeys, shown.chosen);
    if (shown.route) drawRoute(g, v, shown.route, car);
    drawCars(g, fleet, v, now, town.perMetre * v.scale, car);
    drawRanks(g, v, ranks);
    if (shown.route) drawEnds(g, v, shown.route);
    else if (shown.caller) pin(g, v, shown.caller, "#c02626", "☎");
  }
  const chosenCar = () => shown.chosen && (fleet.byID.get(shown.chosen.carId) || (shown.chosen.journeyId && fleet.cars.find((c) => c.journeyId === shown.chosen.journeyId)) || null);

  // wake draws now, and for as long as something moves: each time that the fastest car is
  // half a pixel further.
  function wake() {
    drawn = 0;
    animate();
  }
  function animate() {
    frame ||= requestAnimationFrame((now) => {
      frame = 0;
      const done = fleet.settled(now), step = 0.5 / (fleet.speed * scaleAt(map.getZoom()));
      if (done || now - drawn >= Math.min(step, 100)) {
        above.draw();
        drawn = now;
      }
      if (!done) animate();
    });
  }
  const recolour = () => {
    colours = palette();
    el.style.background = background(town, colours);
    base.draw();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", recolour);
  addEventListener("themechange", recolour);
  const sized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  sized.observe(el);
  fitWhole(false);
  map.addLayer(base).addLayer(above);
  recolour();

  const near = (p) => {
    const [x, y] = above.unitsAt(town, p), most = 18 / above.view(town).scale;
    let best = null, far = most;
    for (const c of fleet.cars) {
      const d = Math.hypot(c.x - x, c.y - y);
      if (d < far) { best = c; far = d; }
    }
    return best;
  };
  map.on("click", (ev) => {
    const c = near(ev.containerPoint);
    pick(c ? { journeyId: c.journeyId || "", carId: c.id } : null);
  });
  map.on("mousemove", (ev) => { map.getContainer().style.cursor = near(ev.containerPoint) ? "pointer" : ""; });

  return {
    map, fleet,
    fix(told) {
      if (!told.at) return;
      fleet.fix(told, town, performance.now());
      for (const r of ranks) r.n = 0;
      for (const c of fleet.cars) {
        if (c.state !== "free") continue;
        const r = ranks.find(({ at }) => Math.abs(at[0] - c.x1) < nearRank * town.perMetre && Math.abs(at[1] - c.y1) < nearRank * town.perMetre);
        if (r) r.n++;
      }
      follow();
      wake();
    },
    // journeys are those whose ends are shown.
    journeys(list) { shown.journeys = list; wake(); },
    choose(chosen) { shown.chosen = chosen; wake(); },
    // route is what GET /journeys/{id}/route told; fit shows all of it.
    route(told, fit) {
      shown.route = told && routeOf(told, town);
      if (fit && shown.route) fitRoute(told);
      wake();
    },
    // caller is where somebody on the phone is, which is shown near to.
    caller(at, near) {
      shown.caller = at || null;
      if (at && near) this.near(at);
      wake();
    },
    // near shows what is around a place.
    near(at) {
      const point = (dx, dy) => map.unproject(map.project(town.centre, 20).add([at[0] + dx * 900 * town.perMetre, at[1] + dy * 600 * town.perMetre]), 20);
      map.flyToBounds(L.latLngBounds(point(-1, -1), point(1, 1)), { paddingBottomRight: [0, covered()], animate: !still, duration: 1 });
    },
    whole() { fitWhole(!still); },
    stop() {
      cancelAnimationFrame(frame);
      dark.removeEventListener("change", recolour);
      removeEventListener("themechange", recolour);
      sized.disconnect();
      map.remove();
    },
  };

  // fitWhole shows the town, with room for the names of places at its edges; they are written to the east of a place where they can be.
  function fitWhole(animate) {
    const all = whole.pad(-0.08), { x } = map.getSize();
    for (const p of town.places) all.extend(map.unproject(map.project(town.centre, 20).add(p.at), 20));
    map.fitBounds(all, { paddingTopLeft: [Math.min(60, x / 10), 30], paddingBottomRight: [Math.min(150, x / 5), 40], animate });
  }

  // covered is how much of the map lies below the captions of a call.
  function covered() { return el.parentElement.querySelector(".captions")?.offsetHeight || 0; }

  function fitRoute(told) {
    const all = told.features.flatMap((f) => f.geometry.coordinates.map(([lon, lat]) => [lat, lon]));
    if (all.length) map.fitBounds(L.latLngBounds(all), { paddingTopLeft: [50, 60], paddingBottomRight: [50, 80 + covered()], maxZoom: 17, animate: !still });
  }

  // follow keeps the chosen car in the view, unless it has just been moved by hand.
  function follow() {
    const c = shown.chosen && chosenCar();
    if (!c || document.hidden || map.dragging.moved?.()) return;
    const at = map.containerPointToLatLng([0, 0]) && map.latLngToContainerPoint(map.unproject(
      map.project(town.centre, 20).add([c.x1, c.y1]), 20));
    const size = map.getSize();
    if (at.x < 0 || at.y < 0 || at.x > size.x || at.y > size.y) map.panTo(map.containerPointToLatLng(at), { animate: !still });
  }
}

// routeOf makes lines of units of a way that was told: what is done and what is to come.
function routeOf(told, town) {
  const done = [], ahead = [], stops = [];
  for (const f of told.features) {
    const line = f.geometry.coordinates.map(town.at);
    (f.properties.done ? done : ahead).push({ line, to: f.properties.to });
    stops.push({ at: line[line.length - 1], to: f.properties.to, stop: f.properties.stop, done: f.properties.done });
  }
  const first = told.features.find((f) => f.properties.to === "dropoff");
  const pickup = first && town.at(first.geometry.coordinates[0]);
  return { done, ahead, pickup, ends: stops.filter((s) => s.to === "dropoff" && !(s.done && told.features.some((f) => !f.properties.done && f.properties.stop === s.stop))) };
}

// cut is what a car has passed of a line that it drives, and what is to come.
function cut(line, car) {
  let best = 0, far = Infinity, foot = line[0];
  for (let i = 0; i + 1 < line.length; i++) {
    const [ax, ay] = line[i], dx = line[i + 1][0] - ax, dy = line[i + 1][1] - ay, l2 = dx * dx + dy * dy;
    const t = l2 ? Math.min(1, Math.max(0, ((car.x - ax) * dx + (car.y - ay) * dy) / l2)) : 0;
    const d = Math.hypot(ax + dx * t - car.x, ay + dy * t - car.y);
    if (d < far - 1e-9) { far = d; best = i; foot = [ax + dx * t, ay + dy * t]; }
  }
  return [[...line.slice(0, best + 1), foot], [[car.x, car.y], foot, ...line.slice(best + 1)]];
}

function drawRoute(g, v, route, car) {
  const stroke = (line, colour, wide, dash = []) => {
    g.beginPath();
    line.forEach(([x, y], i) => g[i ? "lineTo" : "moveTo"](x * v.scale + v.x, y * v.scale + v.y));
    g.strokeStyle = colour;
    g.lineWidth = wide;
    g.lineJoin = g.lineCap = "round";
    g.setLineDash(dash);
    g.stroke();
    g.setLineDash([]);
  };
  const dots = (line) => stroke(line, "#6b675e99", 4, [1, 8]);
  for (const { line } of route.done) dots(line);
  route.ahead.forEach(({ line, to }, i) => {
    const [passed, rest] = i === 0 && car && (route.done.length || to === "pickup") ? cut(line, car) : [null, line];
    if (passed) dots(passed);
    stroke(rest, "#ffffffd0", 9);
    stroke(rest, to === "pickup" ? "#3d7fd0" : "#2a9d6f", 5, i === 0 ? [] : [10, 9]);
  });
}

const nearRank = 40; // metres: who is free and not further off stands at a rank

// drawRanks writes how many cars stand at ranks where there are several: they hide one another.
function drawRanks(g, v, ranks) {
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
    g.fillText(n, x, y + 0.5);
  }
}

// pin draws a drop with a letter, its tip at a place.
function pin(g, v, [ux, uy], colour, letter) {
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

function drawEnds(g, v, route) {
  if (route.pickup) pin(g, v, route.pickup, "#2b62a8", "A");
  route.ends.forEach((e, i) => pin(g, v, e.at, "#1f7a55", String.fromCharCode(66 + i)));
}

const mostPins = 400;
const pins = new Map();

// drawPins marks where passengers wait, and where those on board go to.
function drawPins(g, town, v, journeys, chosen) {
  g.setTransform(1, 0, 0, 1, 0, 0);
  for (const j of journeys.slice(0, mostPins)) {
    if (chosen?.journeyId === j.journeyId) continue;
    const to = j.status === "POB", place = to ? j.dropoffs?.at(-1)?.location : j.pickup?.location;
    if (!place) continue;
    const [ux, uy] = town.at([place.longitude, place.latitude]), x = ux * v.scale + v.x, y = uy * v.scale + v.y;
    if (x < 0 || y < 0 || x > v.width || y > v.height) continue;
    const colour = to ? "#2a9d6f" : j.status === "WAITING" ? "#c02626" : CARS["to-pickup"][1], key = colour + v.ratio;
    if (!pins.has(key)) pins.set(key, stamp(16, v.ratio, (p) => {
      p.beginPath();
      if (to) p.rect(-4, -4, 8, 8);
      else p.arc(0, 0, 5, 0, 7);
      p.fillStyle = colour;
      p.fill();
      p.lineWidth = 2;
      p.strokeStyle = "#fff";
      p.stroke();
    }));
    put(g, pins.get(key), x, y, v.ratio);
  }
  g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
}
