// Holds the types of wire.d.ts to the OpenAPI documents: what a document describes can be taken for
// what the console reads. control and sim are made of the documents when this is compiled.
import type { components as Control } from "./control";
import type { components as Platform } from "./sim";

type C = Control["schemas"];
type P = Platform["schemas"];
type Held<Ours, Theirs extends Ours> = Theirs;

export type All = [
  Held<JourneyList, C["JourneyList"]>,
  Held<Clock, C["Clock"]>,
  Held<Advanced, C["Advanced"]>,
  Held<Omit<Overview, "config">, C["Overview"]>, // the document leaves the configuration open
  Held<Car, C["Car"]>,
  Held<Fault, C["Listed"]>,
  Held<FaultKind, C["CatalogueEntry"]>,
  Held<JournalList, C["RequestList"]>,
  Held<JournalRule, C["RequestRule"]>,
  Held<Route, C["JourneyRoute"]>,
  Held<TownJSON, C["Town"]>,
  Held<User, C["User"]>,
  Held<MagicNumber, C["Magic"]>,
  Held<SystemConfig, C["ConfigResponse"]>,
  Held<SnapshotCard, C["Snapshot"]>,
  Held<ScenarioCard, C["ScenarioList"]["scenarios"][number]>,
  Held<ScenarioRun, C["Run"]>,
  Held<PhoneCall, P["Call"]>,
  Held<Story, P["Story"]>,
  Held<Phone, P["Phone"]>,
  Held<Chat, P["Chat"]>,
  Held<Sound, P["Sound"]>,
];
