// The JSON that the console reads: of the control API, of a voice platform, and of the console's own
// calls. The first two are held to their OpenAPI documents by held.ts; of each only what is read stands here.

/** Of the control API. */

type JourneyStatus = "HELD" | "WAITING" | "ACCEPTED" | "EN_ROUTE" | "ARRIVED" | "POB" | "COMPLETE" | "CANCELLED";
type Operation = "config" | "user" | "book" | "cancel" | "status";
type Judgement = "ok" | "warn" | "fail";
interface Point { latitude: number; longitude: number }
interface Address { address: string; location?: Point }
interface Person { name: string; phoneNumber: string }
interface Price { value: number; currency: string; type?: string }
interface Way { event: string; to: JourneyStatus; when?: string }
interface Vehicle { description: string; registration: string }

interface Journey {
  journeyId: string;
  status: JourneyStatus;
  date?: string;
  createdAt: string;
  updatedAt: string;
  userId: string;
  held: boolean;
  passenger?: Person;
  pickup?: Address;
  dropoffs?: Address[];
  location?: Point;
  eta?: { value: number; unit: string };
  driver?: Person;
  vehicle?: Vehicle;
  vehicleId?: string;
  price?: Price;
  data?: { outcome?: string; reason?: string };
  ways: Way[];
}

interface JourneyList { journeys: Journey[]; next?: string }

interface Clock { now: string; speed: number; mode: "real" | "scaled" | "manual"; callers: "wall" | "world" | "either"; lives?: number }
interface Change { seq: number; at: string; event: string; journeyId: string; to: JourneyStatus; vehicleId?: string }
interface Advanced { from: string; now: string; changes: number; events: Change[] }
interface Overview { config: { speed?: number }; timeZone: string; thirdPartyUrl?: string; version: string }

type CarState = "free" | "asked" | "to-pickup" | "at-pickup" | "on-board" | "off-duty";
interface Car { id: string; state: CarState; journeyId?: string; onDuty: boolean; vehicle: Vehicle; driver: Person; location: Point }

interface FaultMatch { op?: Operation; phone?: string; journey?: string; user?: string; nth?: number; probability?: number }
interface FaultWindow { from?: string; to?: string; ttl?: string; skip?: number; times?: number }
interface FaultDo { kind: string }
interface FaultRule { match?: FaultMatch; window?: FaultWindow; do: FaultDo }
interface Fault extends FaultRule {
  id?: string;
  state: "to-come" | "at-work" | "ended";
  ends?: string;
  hits: number;
  seen: number;
  left?: number;
  scenario?: boolean;
}
interface FaultParameter {
  name: string;
  means: string;
  type: "integer" | "duration" | "boolean" | "string";
  default?: unknown;
  least?: unknown;
  most?: unknown;
  oneOf?: unknown[];
}
interface FaultProof { does: string; noticedBy?: string; unnoticed?: string; op?: Operation }
interface FaultExample extends FaultProof { do: FaultRule["do"] }
interface FaultKind extends FaultProof {
  name: string;
  group: "transport" | "http" | "outcome" | "semantic" | "fleet";
  ops: Operation[];
  parameters?: FaultParameter[];
  examples?: FaultExample[];
}
interface Catalogue { faults: FaultKind[] }

interface Sent { header: Record<string, string[]>; bytes: number; cut?: number; text?: string; base64?: string; body?: unknown }
interface JournalFinding {
  rule: string;
  level: "must" | "should" | "note";
  about: "request" | "answer";
  message: string;
  pointer?: string;
  expected?: string;
  got?: string;
  hint?: string;
  clause?: string;
  calls?: number[];
}
interface JournalCall {
  id: number;
  op: string;
  method: string;
  url: string;
  at: string;
  wall: string;
  tookMs: number;
  status?: number;
  verdict: Judgement;
  answerVerdict: Judgement;
  findings: JournalFinding[];
  request?: string;
  phone?: string;
  userId?: string;
  journeyId?: string;
  fault?: string;
  error?: string;
  untold?: string;
  sent?: Sent;
  answer?: Sent;
}
interface JournalList { requests: JournalCall[]; count: number; kept: number; gone?: number; last: number; more: boolean }
interface JournalRule { id: string; level: string; about: "request" | "answer"; operations: string[]; clause: string; requirement: string; why: string; hint: string }

interface RouteFeature { geometry: { coordinates: number[][] }; properties: { done: boolean; to: "pickup" | "dropoff"; stop?: number } }
interface Route { features: RouteFeature[] }

type LandKind = "outline" | "park" | "river" | "apron" | "runway" | "street" | "rail" | "place";
interface TownProperties { kind: LandKind; class?: "main" | "secondary" | "minor"; colour?: string; letter?: string; name?: string; place?: string; width?: number }
interface TownFeature {
  geometry: { type: "Point" | "LineString" | "MultiLineString" | "Polygon"; coordinates: number[] | number[][] | number[][][] };
  properties: TownProperties;
}
interface TownJSON { name?: string; attribution?: string; bbox: number[]; centre: number[]; size: number; features: TownFeature[] }

interface User { name: string; phoneNumber: string; status?: "ENABLED" | "DISABLED" | "BLACKLISTED"; journeys: string[] }
interface MagicNumber { from: number; to: number; means: string; fault?: string }
interface Magic { base: string; numbers: MagicNumber[] }

interface SystemConfig { status: string }
interface SnapshotCard { name: string; live: number; clock: Clock }
interface ScenarioCard { name: string; title: string; do: string }
interface ScenarioRun {
  id: string;
  scenario: string;
  do: string;
  state: "running" | "seen" | "missed";
  started: string;
  ended?: string;
  endReason?: string;
  journeys: string[];
  seen: { what: string; met: boolean }[];
}

/** Of a voice platform. */

interface Line {
  atMs: number;
  party: "platform" | "caller" | "callee";
  kind: "say" | "play" | "press" | "speech" | "ring" | "answer" | "bridge" | "hangup";
  leg?: number;
  text: string;
}
interface PhoneCall {
  callId: string;
  parentCallId?: string;
  from: string;
  status: "queued" | "trying" | "ringing" | "early-media" | "in-progress" | "completed" | "busy" | "no-answer" | "failed" | "canceled";
  cause?: number;
  hangupReason?: string;
  began?: string;
  durationMs: number;
  transcript?: Line[]; // none in a list of calls
}
interface StoryRequest { path: string; at: string; tookMs: number; status: number; error?: string; request?: string; verdict?: string; fault?: string }
interface Verb { gather?: { hints?: string[]; language?: string } }
interface Turn {
  askedMs: number;
  answeredMs: number;
  action: string;
  reason: string;
  digits?: string;
  speech?: string;
  confidence?: number;
  unsure?: boolean;
  alternatives?: { text: string; confidence: number }[];
  verbs: Verb[];
  cut?: boolean;
  error?: string;
  requests: StoryRequest[];
}
interface FramePlace { name: string; formatted: string; location?: Point }
interface Frame { pickup?: FramePlace; dropoffs?: FramePlace[]; pickupTime?: string; now?: boolean; people?: number; category?: string; unsure?: ("pickup" | "dropoff" | "time" | "people")[] }
type Question = "pickup" | "dropoff" | "time" | "people" | "name" | "which" | "confirm" | "menu";
interface Story {
  id: string;
  version: number;
  call?: PhoneCall;
  sound?: boolean;
  hearing?: boolean;
  turns: Turn[];
  requests: StoryRequest[];
  journeyId?: string;
  answers: { key: string; label: string }[];
  asks?: Question[];
  frame: Frame | null;
}
interface Sound { speaks: boolean; understands: boolean }
interface Phone { id: string; status: "waiting" | "ringing" | "talking" | "over"; reason?: string; callId?: string; from?: string; version: number; transcript: Line[] }
interface Message { at: string; from: "customer" | "firm"; text?: string; location?: Point; buttons?: { id: string; label: string }[] }
interface Chat { id: string; version: number; messages: Message[] }

/** Of the console itself: checks.go, checks_show.go and console.go. */

type Outcome = "pass" | "fail" | "flaky" | "warn" | "observed" | "error" | "not-verified";
interface CheckSummary {
  id: string;
  order: { url: string; scope?: string; apart?: boolean };
  state: "queued" | "running" | "stopping" | "done" | "failed";
  counts: Partial<Record<Outcome, number>>;
  exit: number;
  trouble?: { code: string; detail: string; step?: string; cure?: string };
}
interface CheckVerdict {
  id: string;
  operation: string;
  level: string;
  clause: string;
  requirement: string;
  outcome?: Outcome;
  message?: string;
  fresh?: boolean; // on the page: it came while the page was open
}
interface CheckStep { name: string; ok: boolean; detail: string; cure?: string }
interface CheckCause { message: string; fix?: string; sent?: string; reach?: string; failed?: string[] }
interface CheckTier { tier: string; answer: string; pass: number; fail: number; notVerified: number }
interface CheckRun extends CheckSummary {
  steps: CheckStep[];
  progress: { stage?: string; done: number; all: number; leftSeconds: number };
  verdicts: CheckVerdict[];
  findings?: {
    summary: { exchanges: number };
    verdict: string;
    seconds: number;
    causes: CheckCause[];
    tiers: CheckTier[];
    leftovers: { journeyId: string; reason: string }[];
  };
}
interface ExchangeHalf { header?: Record<string, string[]>; body?: string; cut?: number }
interface Exchange {
  id: number;
  tookNanos: number;
  error?: string;
  request: ExchangeHalf & { method: string; url: string };
  response?: ExchangeHalf & { status: number };
}
interface CheckFinding { outcome: Outcome; message: string; pointer?: string; expected?: string; got?: string; hint?: string; count?: number }
interface CheckEvidence {
  outcome: Outcome;
  check: { level: string; tier: string; requirement: string; clause: string; why: string; hint: string };
  findings: CheckFinding[];
  calls: Exchange[];
  curl?: string;
}
interface Checks { own: string; mostRunning: number; checks: CheckSummary[] }

/** What a GET answers, by the path below each caller's prefix. */

interface ControlAnswers {
  "/": Overview;
  "/clock": Clock;
  "/faults": { faults: Fault[] };
  "/faults/catalogue": Catalogue;
  "/journeys": JourneyList;
  "/requests": JournalList;
  "/town": TownJSON;
  "/users": { users: User[]; next?: string };
  "/magic": Magic;
  "/system": SystemConfig;
  "/snapshots": { snapshots: SnapshotCard[] };
  "/scenarios": { scenarios: ScenarioCard[] };
  "/scenarios/runs": { runs: ScenarioRun[] };
}
type ControlAnswer<P extends string> = P extends keyof ControlAnswers ? ControlAnswers[P]
  : P extends `/journeys/${string}/route` ? Route
  : P extends `/journeys/${string}` ? Journey
  : P extends `/requests/${string}` ? JournalCall
  : P extends `/rules/${string}` ? JournalRule
  : P extends `/vehicles/${string}` ? Car
  : P extends "/clock/advance" ? Advanced
  : unknown;

type PlatformAnswer<P extends string> = P extends "/about" ? { there: boolean }
  : P extends "/sim/v1/calls" ? PhoneCall[]
  : P extends `/sim/v1/stories/${string}` ? Story
  : P extends "/sim/v1/sound" ? Sound
  : P extends "/sim/v1/phones" | `/sim/v1/phones/${string}` ? Phone
  : P extends "/sim/v1/chats" | `/sim/v1/chats/${string}` ? Chat
  : unknown;

interface RoomView { open: boolean; url?: string; path?: string; side?: number; guests: number; most: number; film?: string; filmPath?: string; filmSide?: number }
type ServerAnswer<P extends string> = P extends "/room" ? RoomView
  : P extends `/checks/${string}/verdicts/${string}` ? CheckEvidence
  : P extends `/checks/${string}` ? CheckRun
  : P extends "/checks" ? Checks
  : unknown;
