// What the modules of the page hand each other.

/** What Preact shows. */
type Shown = import("./vendor/preact").Shown;
type Ref<T> = import("./vendor/preact").Ref<T>;
/** The properties of a part that has something between its tags. */
type Around<P> = P & { children?: Shown };

interface Store<T> {
  get(): T;
  set(next: T): void;
  change(members: Partial<T>): void;
  watch(tell: (value: T) => void): () => void;
}

type Tone = "" | "pass" | "warn" | "fail" | "observed" | "error";
type Trouble = import("../static/api.js").Problem;
/** A refusal, or an error that nobody foresaw. */
type Failure = Trouble | Error;

/** What a call of the server may be given besides its body. */
interface SendOptions { signal?: AbortSignal; cache?: RequestCache; keepalive?: boolean }

/** A path without its query. */
type Bare<P extends string> = P extends `${infer Q}?${string}` ? Q : P;
type Answer<Of, P extends string> = Of extends "control" ? ControlAnswer<Bare<P>> : Of extends "platform" ? PlatformAnswer<Bare<P>> : ServerAnswer<Bare<P>>;
interface Caller<Of> {
  prefix: string;
  get<const P extends string>(path: P, options?: SendOptions): Promise<Answer<Of, P>>;
  post<const P extends string>(path: P, body?: unknown, options?: SendOptions): Promise<Of extends "server" ? CheckSummary : Answer<Of, P>>;
  put(path: string, body?: unknown, options?: SendOptions): Promise<unknown>;
  patch(path: string, body?: unknown, options?: SendOptions): Promise<unknown>;
  del(path: string, body?: undefined, options?: SendOptions): Promise<unknown>;
}

/** Keys by what KeyboardEvent calls them: what each does, and how. */
type Keys = Record<string, [does: string, run: (e: KeyboardEvent) => unknown]>;

/** What the address says. */
interface Address_ { screen: string; query: Record<string, string> }
type Query = Record<string, string | number | null | undefined>;

/** The world. */
type LiveJourney = Journey & { readAt: number };
type LiveClock = Clock & { at: number; read: number };
interface SeenCar { id: string; state: CarState; journeyId?: string; location: Point }
interface SeenCars { at: string | null; vehicles: SeenCar[]; read?: number }
interface Link { state: "connecting" | "live" | "lost" | "silent"; error: Failure | null | undefined; since?: number }

/** Users by their number's digits. */
type Users = Map<string, User>;
/** A story that is followed: gone, if the platform does not know it. */
type Followed = Story & { gone?: Trouble | null };
/** A step of a caller's script. */
interface Step { wait?: string; say?: string; press?: string; expect?: string; hangup?: boolean }

/** What an audio thread has. */
declare class AudioWorkletProcessor { port: MessagePort }
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;

/** Messages between a tab and the hub. */
interface HubError { status: number; body?: ProblemBody }
interface ProblemBody { title?: string; detail?: string; code?: string; errors?: FieldError[] }
interface FieldError { pointer: string; code: string; detail: string }
interface Wish { path: string; token: string; every: number }
interface ToHub { open?: Wish; close?: string; look?: Wish; unlook?: string; again?: boolean; bye?: boolean }
interface FromStream { of: string; name?: string; value?: unknown; id?: string; state?: "open" | "lost"; error?: HubError | null }
interface FromLook { look: string; value?: unknown; error?: HubError }
type FromHub = FromStream | FromLook;
interface Tab { tell(m: FromHub): void }

/** What a stream tells this tab: an event, or what became of the connection. */
type Told = { name: string; value: unknown; id?: string; state?: undefined } | { name?: undefined; state: "open" | "lost"; error?: Trouble | null };
/** An event of a stream: what its value is depends on its name. */
type Hear = (name: string, value: unknown, id?: string) => void;

/** The town in units: pixels of a web map at zoom 20, from the middle of the town. */
type Units = [x: number, y: number];
type Box = [west: number, north: number, east: number, south: number];
interface Shape extends TownProperties { lines: Units[][]; box: Box; wide: number }
interface Place extends TownProperties { at: Units }
interface Town {
  name: string;
  attribution: string;
  centre: [lat: number, lon: number];
  bbox: number[];
  size: number;
  x0: number;
  y0: number;
  perMetre: number;
  areas: Shape[];
  lines: Shape[];
  streets: Shape[];
  places: Place[];
  imported: boolean;
  at(p: number[]): Units;
}
/** How units become pixels of a canvas: times scale, plus x and y. */
interface View { scale: number; x: number; y: number; width: number; height: number }
type Canvas2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
interface DrawnRoute {
  done: { line: Units[]; to: string }[];
  ahead: { line: Units[]; to: string }[];
  pickup: Units | undefined;
  ends: { at: Units }[];
}

/** A line of a JSON text that was laid out. */
interface LaidOut { at: string; deep: number; name?: string; value?: string; comma?: boolean; ends?: boolean; ghost?: string }
