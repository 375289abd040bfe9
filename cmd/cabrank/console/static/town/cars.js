// Cars that move smoothly between the places where they were seen: each is drawn one fix
// behind, on its way from where it was shown to where it was seen last.

// CARS is what cars do, and their colours.
/** @type {Record<CarState, [name: string, colour: string]>} */
export const CARS = {
  free: ["free", "#f4b400"], asked: ["asked", "#d98200"], "to-pickup": ["to a pickup", "#3d7fd0"],
  "at-pickup": ["at a pickup", "#7a5cc7"], "on-board": ["with a passenger", "#2a9d6f"], "off-duty": ["off duty", "#8f887b"],
};
/** @param {CarState} state */
const colourOf = (state) => (CARS[state] || CARS["off-duty"])[1];

/** @typedef {{id: string, state: CarState, journeyId?: string, x0: number, y0: number, x1: number, y1: number,
 *   h0: number, turn: number, x: number, y: number, h: number}} MovingCar */

const fastest = 45; // metres in a second: who is further off was put there

// Fleet is where cars are. at(p) turns longitude and latitude into units.
export class Fleet {
  /** @type {MovingCar[]} */
  cars = [];
  /** @type {Map<string, MovingCar>} */
  byID = new Map();
  began = 0; // when the latest fix came
  takes = 1; // until cars are where it says
  at = 0;    // the world's time of it
  speed = 0; // of the fastest car in units in a millisecond; 0: nothing moves

  // fix takes what events told, at a moment of the page's clock.
  /** @param {SeenCars} told @param {Pick<Town, "at" | "perMetre">} town @param {number} now */
  fix(told, town, now) {
    const old = this.byID, worldTime = Date.parse(told.at || ""), gap = now - this.began;
    const far = (Math.abs(worldTime - this.at) / 1000) * fastest * town.perMetre * 1.5 + 30 * town.perMetre;
    let most = 0;
    const cars = told.vehicles.map((v) => {
      const [x, y] = town.at([v.location.longitude, v.location.latitude]);
      const before = old.get(v.id);
      const car = { id: v.id, state: v.state, journeyId: v.journeyId, x0: x, y0: y, x1: x, y1: y, h0: 0, turn: 0, x, y, h: 0 };
      if (!before) return car;
      this.place(before, now);
      car.h0 = before.h;
      const dx = x - before.x, dy = y - before.y, d = Math.hypot(dx, dy);
      if (d > far) return car; // it jumps
      car.x0 = before.x;
      car.y0 = before.y;
      if (d > 0.5 * town.perMetre) {
        const turn = Math.atan2(dx, -dy) - before.h;
        car.turn = Math.atan2(Math.sin(turn), Math.cos(turn));
      }
      most = Math.max(most, d);
      return car;
    });
    this.cars = cars;
    this.byID = new Map(cars.map((c) => [c.id, c]));
    this.takes = gap > 0 && gap < 3000 ? this.takes * 0.5 + gap * 0.5 : 1000;
    this.speed = most / this.takes;
    this.began = now;
    this.at = worldTime;
  }

  // find is the car with an id, or that of a journey.
  /** @param {string | undefined} id @param {string | undefined} journey @returns {MovingCar | null} */
  find(id, journey) {
    const named = this.byID.get(id || "");
    return named || (journey && this.cars.find((c) => c.journeyId === journey)) || null;
  }

  // nearest is the car that is shown nearest to a place, and not further off than most.
  /** @param {number} x @param {number} y @param {number} most */
  nearest(x, y, most) {
    let best = null;
    for (const c of this.cars) {
      const d = Math.hypot(c.x - x, c.y - y);
      if (d < most) { best = c; most = d; }
    }
    return best;
  }

  // freeNear counts the cars that stand free about a place.
  /** @param {Units} at @param {number} most */
  freeNear([x, y], most) {
    return this.cars.filter((c) => c.state === "free" && Math.abs(x - c.x1) < most && Math.abs(y - c.y1) < most).length;
  }

  // place says where a car is shown: x, y and h, its heading from the north.
  /** @param {MovingCar} c @param {number} now */
  place(c, now) {
    const f = Math.min(1, Math.max(0, (now - this.began) / this.takes));
    c.x = c.x0 + (c.x1 - c.x0) * f;
    c.y = c.y0 + (c.y1 - c.y0) * f;
    c.h = c.h0 + c.turn * Math.min(1, f * 3);
    return c;
  }

  // settled reports whether nothing moves until the next fix.
  /** @param {number} now */
  settled(now) { return !this.speed || now - this.began >= this.takes; }
}

// stamp is a picture of so many pixels a side that paint(g) draws around its middle.
/** @param {number} side @param {number} ratio @param {(g: Canvas2D) => void} paint */
export function stamp(side, ratio, paint) {
  const c = new OffscreenCanvas(Math.ceil(side * ratio), Math.ceil(side * ratio));
  const g = /** @type {OffscreenCanvasRenderingContext2D} */ (c.getContext("2d"));
  g.translate(c.width / 2, c.height / 2);
  g.scale(ratio, ratio);
  paint(g);
  return c.transferToImageBitmap();
}

// put puts a picture on whole pixels; g has no scale.
/** @param {Canvas2D} g @param {ImageBitmap} p @param {number} x @param {number} y @param {number} ratio */
export const put = (g, p, x, y, ratio) => g.drawImage(p,
  Math.round(x * ratio - p.width / 2), Math.round(y * ratio - p.height / 2));

const TURNS = 48; // headings of which there are pictures, once round

// paint draws a car seen from above, pointing north, or a dot where it would be too small.
/** @param {Canvas2D} g @param {string} colour @param {number} long @param {boolean} dot */
function paint(g, colour, long, dot) {
  g.fillStyle = colour;
  g.strokeStyle = "#1c1b18";
  g.lineWidth = 1;
  g.beginPath();
  if (dot) g.arc(0, 0, long / 2, 0, 7);
  else g.roundRect(-long * 0.26, -long / 2, long * 0.52, long, long * 0.16);
  g.fill();
  g.stroke();
  if (dot) return;
  g.fillStyle = "#1c1b18";
  g.fillRect(-long * 0.18, -long * 0.24, long * 0.36, long * 0.16);
  g.fillRect(-long * 0.18, long * 0.24, long * 0.36, long * 0.1);
}

// Pictures are those of cars by state, and by turn, for one length and ratio. They are put on whole
// pixels and not turned when they are drawn, which is what takes time where there are
// thousands.
class Pictures {
  /** @type {Map<CarState, ImageBitmap[]>} */
  all = new Map();

  /** @param {number} long @param {number} ratio @param {boolean} dot */
  constructor(long, ratio, dot) {
    this.long = long;
    this.ratio = ratio;
    this.dot = dot;
  }

  /** @param {CarState} state @param {number} turn */
  of(state, turn) {
    const turns = this.all.get(state) || [], { long, ratio, dot } = this;
    this.all.set(state, turns);
    return (turns[turn] ||= stamp(long * 1.3 + 2, ratio, (g) => {
      g.rotate((turn * 2 * Math.PI) / TURNS);
      paint(g, colourOf(state), long, dot);
    }));
  }
}
let pictures = new Pictures(0, 0, false);

/** @param {number} long @param {number} ratio @param {boolean} dot */
function picturesFor(long, ratio, dot) {
  if (pictures.long !== long || pictures.ratio !== ratio || pictures.dot !== dot) pictures = new Pictures(long, ratio, dot);
  return pictures;
}

// drawCars draws a fleet. What is chosen is drawn last, and larger.
/** @param {Canvas2D} g @param {Fleet} fleet @param {View & {ratio: number}} view @param {number} now @param {number} perMetre @param {MovingCar | null} chosen */
export function drawCars(g, fleet, view, now, perMetre, chosen) {
  const { scale, width, height, ratio } = view;
  const dot = perMetre < 0.1, long = dot ? 8 : Math.round(Math.min(40, Math.max(14, perMetre * 14)));
  const k = TURNS / (2 * Math.PI), all = picturesFor(long, ratio, dot);
  g.setTransform(1, 0, 0, 1, 0, 0);
  for (const c of fleet.cars) {
    fleet.place(c, now);
    const x = c.x * scale + view.x, y = c.y * scale + view.y;
    if (x < -20 || y < -20 || x > width + 20 || y > height + 20 || chosen === c) continue;
    const turn = dot ? 0 : (Math.round(c.h * k) % TURNS + TURNS) % TURNS;
    put(g, all.of(c.state, turn), x, y, ratio);
  }
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (chosen) drawChosen(g, view, chosen, long);
}

/** @param {Canvas2D} g @param {View & {ratio: number}} view @param {MovingCar} chosen @param {number} long */
function drawChosen(g, view, chosen, long) {
  const { scale, ratio } = view;
  const x = chosen.x * scale + view.x, y = chosen.y * scale + view.y, big = Math.max(20, long + 6);
  g.beginPath();
  g.arc(x, y, big * 0.85, 0, 7);
  g.fillStyle = "#ffffffcc";
  g.fill();
  g.lineWidth = 3;
  g.strokeStyle = colourOf(chosen.state);
  g.stroke();
  g.translate(x, y);
  g.rotate(chosen.h);
  paint(g, colourOf(chosen.state), big, false);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
}
