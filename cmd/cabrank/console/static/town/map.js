// The town on a map that is moved and zoomed, with its cars. Leaflet moves and zooms; the
// town is drawn once for a view, the cars on a canvas above for as long as one moves.
import { Fleet, drawCars } from "./cars.js";
import { background, drawTown, palette } from "./draw.js";
import { drawEnds, drawNames, drawPins, drawRanks, drawRoute, pin } from "./marks.js";
import { routeOf } from "./route.js";
import { scaleAt } from "./shape.js";

/** @typedef {import("../vendor/leaflet").Leaflet} Leaflet */
/** @typedef {import("../vendor/leaflet").Point_} Pixel */
/** @typedef {InstanceType<ReturnType<typeof canvasLayer>>} Layer */
/** @typedef {{journeyId?: string, carId?: string}} Chosen */

/** @type {Promise<ReturnType<typeof canvasLayer>> | null} */
let leaflet = null;

// load loads Leaflet; live.css has the rules that it needs.
const load = () => (leaflet ||= import("../vendor/leaflet.js").then(() => canvasLayer(window.L)));

// canvasLayer makes a layer of a canvas that is as large as the view and a bit, and is moved
// and zoomed with the map until it is drawn anew: draw(layer).
/** @param {Leaflet} L */
function canvasLayer(L) {
  return L.Renderer.extend({
    g: /** @type {CanvasRenderingContext2D | null} */ (null),
    ratio: 1,
    _initContainer() {
      this._container = document.createElement("canvas");
      this._container.setAttribute("aria-hidden", "true");
      this.g = this._container.getContext("2d");
    },
    _destroyContainer() {
      this._container.remove();
      delete /** @type {{_container?: HTMLElement}} */ (this)._container;
    },
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
    view(/** @type {Town} */ town) {
      const zoom = this._zoom, size = this._bounds.getSize(), origin = this._map._getNewPixelOrigin(this._center, zoom);
      const middle = this._map.project(town.centre, zoom).subtract(origin).subtract(this._bounds.min);
      return { scale: scaleAt(zoom), x: middle.x, y: middle.y, width: size.x, height: size.y, ratio: this.ratio };
    },
    draw() { if (this._bounds) this.options.draw(this); },
    // unitsAt is the place of the town at a point of the map's container.
    unitsAt(/** @type {Town} */ town, /** @type {Pixel} */ p) {
      const v = this.view(town), at = this._map.containerPointToLayerPoint(p).subtract(this._bounds.min);
      return [(at.x - v.x) / v.scale, (at.y - v.y) / v.scale];
    },
  });
}

const flight = 700; // milliseconds
const nearRank = 40; // metres: who is free and not further off stands at a rank

// makeMap puts a map of a town into an element; null if that has gone meanwhile. pick({journeyId,
// carId}) is called when a car is chosen.
/** @param {HTMLElement} el @param {Town} town @param {(what: Chosen | null) => void} pick */
export async function makeMap(el, town, pick) {
  const Canvas = await load();
  return el.isConnected ? new TownMap(el, town, pick, Canvas) : null;
}

// TownMap is a map of a town. Its methods change what is shown; stop takes it down.
class TownMap {
  fleet = new Fleet();
  /** @type {{journeys: Journey[], route: DrawnRoute | null, chosen: Chosen | null, caller: Units | null, unsure: boolean}} */
  shown = { journeys: [], route: null, chosen: null, caller: null, unsure: false };
  colours = palette();
  still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  dark = matchMedia("(prefers-color-scheme: dark)");
  frame = 0; // that is asked for
  drawn = 0; // when the cars were drawn last
  flew = -flight; // when the caller's pin began to fly to its place

  /** @param {HTMLElement} el @param {Town} town @param {(what: Chosen | null) => void} pick @param {ReturnType<typeof canvasLayer>} Canvas */
  constructor(el, town, pick, Canvas) {
    this.el = el;
    this.town = town;
    this.ranks = town.places.filter((p) => p.place === "taxi rank").map(({ at }) => ({ at, n: 0 }));
    this.map = plainMap(el, town, this.still);
    this.base = new Canvas({ padding: 0.25, pane: "tilePane", draw: (layer) => this.drawBase(layer) });
    this.above = new Canvas({ padding: 0.04, pane: "overlayPane", draw: (layer) => this.drawAbove(layer, performance.now()) });
    this.sized = new ResizeObserver(() => this.map.invalidateSize({ animate: false }));
    this.sized.observe(el);
    this.fitWhole(false);
    this.map.addLayer(this.base).addLayer(this.above);
    this.recolour();
    this.dark.addEventListener("change", this.recolour);
    addEventListener("themechange", this.recolour);
    this.map.on("click", (e) => {
      const c = this.carAt(e.containerPoint);
      pick(c && { journeyId: c.journeyId || "", carId: c.id });
    });
    this.map.on("mousemove", (e) => { this.map.getContainer().style.cursor = this.carAt(e.containerPoint) ? "pointer" : ""; });
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.dark.removeEventListener("change", this.recolour);
    removeEventListener("themechange", this.recolour);
    this.sized.disconnect();
    this.map.remove();
  }

  // fix takes where the cars are.
  /** @param {SeenCars} told */
  fix(told) {
    if (!told.at) return;
    this.fleet.fix(told, this.town, performance.now());
    for (const r of this.ranks) r.n = this.fleet.freeNear(r.at, nearRank * this.town.perMetre);
    this.follow();
    this.wake();
  }

  // journeys are those whose ends are shown.
  /** @param {Journey[]} list */
  journeys(list) { this.show({ journeys: list }); }

  /** @param {Chosen | null} chosen */
  choose(chosen) { this.show({ chosen }); }

  // route is what GET /journeys/{id}/route told; fit shows all of it.
  /** @param {Route | null} told @param {boolean} [fit] */
  route(told, fit) {
    if (fit && told) this.fitRoute(told);
    this.show({ route: told && routeOf(told, this.town) });
  }

  // caller is where somebody on the phone is, which is shown near to: a pin flies there from the captions.
  /** @param {Units | null | undefined} at @param {boolean} near @param {boolean} unsure */
  caller(at, near, unsure) {
    const moved = at && String(at) !== String(this.shown.caller);
    if (moved && near) this.near(at);
    if (moved && !this.still) this.flew = performance.now();
    this.show({ caller: at || null, unsure });
  }

  // pinned is where the caller's pin is.
  /** @param {View} v @param {Units} to @param {number} now @returns {Units} */
  pinned(v, [x, y], now) {
    const left = Math.max(0, 1 - (now - this.flew) / flight) ** 3;
    if (!left) return [x, y];
    const fromX = (v.width / 2 - v.x) / v.scale, fromY = (v.height - this.covered() - v.y) / v.scale;
    return [x + left * (fromX - x), y + left * (fromY - y)];
  }

  // near shows what is around a place.
  /** @param {Units} at */
  near([x, y]) {
    const dx = 900 * this.town.perMetre, dy = 600 * this.town.perMetre;
    const around = window.L.latLngBounds(this.latLng([x - dx, y - dy]), this.latLng([x + dx, y + dy]));
    this.map.flyToBounds(around, { paddingBottomRight: [0, this.covered()], animate: !this.still, duration: 1 });
  }

  whole() { this.fitWhole(!this.still); }

  /** @param {Partial<TownMap["shown"]>} members */
  show(members) {
    Object.assign(this.shown, members);
    this.wake();
  }

  /** @param {Layer} layer */
  drawBase(layer) {
    const v = layer.view(this.town);
    if (!layer.g) return;
    layer.g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    drawTown(layer.g, this.town, v, this.colours);
  }

  /** @param {Layer} layer @param {number} now */
  drawAbove(layer, now) {
    const { shown, town, fleet } = this, v = layer.view(town), g = layer.g;
    if (!g) return;
    g.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    g.clearRect(0, 0, v.width, v.height);
    const car = this.chosenCar();
    if (car) fleet.place(car, now);
    drawPins(g, town, v, shown.journeys, shown.chosen);
    if (shown.route) drawRoute(g, v, shown.route, car);
    drawCars(g, fleet, v, now, town.perMetre * v.scale, car);
    drawRanks(g, v, this.ranks);
    drawNames(g, v, fleet, shown.journeys);
    if (shown.route) drawEnds(g, v, shown.route);
    else if (shown.caller) pin(g, v, this.pinned(v, shown.caller, now), shown.unsure ? "#6b675e" : "#c02626", shown.unsure ? "?" : "☎");
  }

  chosenCar() {
    const { chosen } = this.shown;
    return chosen && this.fleet.find(chosen.carId, chosen.journeyId);
  }

  // wake draws now, and for as long as something moves: each time that the fastest car is
  // half a pixel further.
  wake() {
    this.drawn = 0;
    this.animate();
  }

  animate() {
    this.frame ||= requestAnimationFrame((now) => {
      this.frame = 0;
      const flies = now - this.flew < flight, done = this.fleet.settled(now) && !flies, step = 0.5 / (this.fleet.speed * scaleAt(this.map.getZoom()));
      if (done || flies || now - this.drawn >= Math.min(step, 100)) {
        this.above.draw();
        this.drawn = now;
      }
      if (!done) this.animate();
    });
  }

  recolour = () => {
    this.colours = palette();
    this.el.style.background = background(this.town, this.colours);
    this.base.draw();
  };

  // carAt is the car at a point of the map's container, or the nearest to it.
  /** @param {Pixel} p */
  carAt(p) {
    const [x, y] = this.above.unitsAt(this.town, p);
    return this.fleet.nearest(x, y, 18 / this.above.view(this.town).scale);
  }

  // latLng is where units are on the earth.
  /** @param {Units} at */
  latLng(at) { return this.map.unproject(this.map.project(this.town.centre, 20).add(at), 20); }

  // covered is how much of the map lies below the captions of a call.
  covered() {
    const captions = this.el.parentElement?.querySelector(".captions");
    return captions instanceof HTMLElement ? captions.offsetHeight : 0;
  }

  // fitWhole shows the town, with room for the names of places at its edges; they are written to
  // the east of a place where they can be.
  /** @param {boolean} animate */
  fitWhole(animate) {
    const all = boundsOf(this.town).pad(-0.08), { x } = this.map.getSize();
    for (const p of this.town.places) all.extend(this.latLng(p.at));
    this.map.fitBounds(all, { paddingTopLeft: [Math.min(60, x / 10), 30], paddingBottomRight: [Math.min(150, x / 5), 40], animate });
  }

  /** @param {Route} told */
  fitRoute(told) {
    const all = told.features.flatMap((f) => f.geometry.coordinates.map(([lon, lat]) => [lat, lon]));
    const room = { paddingTopLeft: [50, 60], paddingBottomRight: [50, 80 + this.covered()], maxZoom: 17, animate: !this.still };
    if (all.length) this.map.fitBounds(window.L.latLngBounds(all), room);
  }

  // follow keeps the chosen car in the view, unless it has just been moved by hand.
  follow() {
    const c = this.chosenCar();
    if (!c || document.hidden || this.map.dragging.moved?.()) return;
    const to = this.latLng([c.x1, c.y1]), at = this.map.latLngToContainerPoint(to), size = this.map.getSize();
    if (at.x < 0 || at.y < 0 || at.x > size.x || at.y > size.y) this.map.panTo(to, { animate: !this.still });
  }
}

/** @param {Town} town */
const boundsOf = ({ bbox: [w, s, e, n] }) => window.L.latLngBounds([s, w], [n, e]);

// plainMap is a map of the town's surroundings, with nothing on it.
/** @param {HTMLElement} el @param {Town} town @param {boolean} still */
function plainMap(el, town, still) {
  const map = window.L.map(el, { zoomSnap: 0.25, zoomDelta: 0.5, minZoom: 9, maxZoom: 19,
    attributionControl: false, zoomAnimation: !still, fadeAnimation: false, inertia: !still });
  const attribution = town.attribution.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  if (attribution) window.L.control.attribution({ prefix: false }).addAttribution(attribution).addTo(map);
  return map.setMaxBounds(boundsOf(town).pad(1));
}
