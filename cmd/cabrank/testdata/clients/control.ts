// A tester's client whose types are generated from the OpenAPI document of the control
// calls: it compiles only if the document says what it uses. It makes a world of its own,
// and plays what a test of a platform would.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./calls.js";
import { check } from "./platform.mjs";

const url = process.env.CABRANK!;
const main: Client<paths> = createClient<paths>({ baseUrl: `${url}/_control/v1` });
const made = await main.POST("/sandboxes", { body: { name: "ann", seed: 7, clock: { now: "2026-06-01T08:00:00Z" } } });
check("a sandbox is made", made.response.status === 201 && made.data!.clock!.mode === "manual");
const world: Client<paths> = createClient<paths>({ baseUrl: made.data!.controlUrl });
check("its clock stands", (await world.GET("/clock")).data!.now === "2026-06-01T08:00:00Z");

// The platform under test is played by fetch.
const caller = "442079460020";
async function asks(operation: string, body: object) {
  const answer = await fetch(`${made.data!.thirdPartyUrl}/${operation}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  return { status: answer.status, fault: answer.headers.get("X-Cabrank-Fault"), body: (await answer.json()) as any };
}
const booking = {
  name: "Ada", phoneNumber: `+${caller}`, pickupTime: "2026-06-01T08:00:00Z",
  pickup: { address: "1 Row", location: { longitude: 2.1, latitude: 54.7 } }, dropoffs: [{ address: "2 Row", location: { longitude: 2.11, latitude: 54.71 } }],
};

const rule: components["schemas"]["Rule"] = { match: { op: "book", phone: caller }, window: { times: 1 }, do: { kind: "unavailable" } };
const fault = await world.POST("/faults", { body: rule });
check("a fault is added", fault.response.status === 201 && fault.data!.state === "at-work" && fault.data!.left === 1);
const refused = await asks("book", booking);
check("it is met", refused.status === 503 && refused.fault === fault.data!.id);
check("once", (await world.GET("/faults/{id}", { params: { path: { id: fault.data!.id! } } })).data!.state === "ended");
const booked = await asks("book", booking);
check("and then booked", booked.status === 200);

const id: string = booked.body.journeyId;
const path = { id };
const journeys = await world.GET("/journeys", { params: { query: { limit: 1 } } });
check("the journey is listed", journeys.data!.journeys[0]!.journeyId === id);
const advanced = await world.POST("/clock/advance", { body: { until: { journey: "latest", status: "ARRIVED" } } });
check("the taxi is at the door", advanced.data!.events.some((e) => e.journeyId === id && e.to === "ARRIVED"));
check("a journey is held", (await world.POST("/journeys/{id}/hold", { params: { path }, body: {} })).response.status === 200);
check("and let go", (await world.POST("/journeys/{id}/release", { params: { path }, body: {} })).response.status === 200);
const impossible = await world.POST("/journeys/{id}/transition", { params: { path }, body: { to: "HELD" } });
check("a problem is typed", impossible.response.status === 409 && impossible.error!.status === 409 && impossible.error!.code !== "");
const forced = await world.POST("/journeys/{id}/transition", { params: { path }, body: { to: "COMPLETE", force: true } });
check("a journey is forced", forced.data!.status === "COMPLETE");

const sent = await world.POST("/requests/find", { body: { match: { op: "book" } } });
check("the journal has both", sent.data!.requests.length === 2);
const verified = await world.POST("/verify", { body: { expect: [{ op: "book", match: { phone: caller }, times: 2 }] } });
check("a verification holds", verified.response.status === 200 && verified.data!.verified);
const never = await world.POST("/verify", { body: { expect: [{ op: "cancel", times: 1 }] } });
check("and another does not", never.response.status === 409 && never.error !== undefined);

const wrong = await world.POST("/seed", { body: { seed: -1 } });
check("a member at fault is named", wrong.response.status === 422 && wrong.error!.errors![0]!.pointer === "/seed");
check("the world begins anew", (await world.POST("/reset", { body: { to: "empty" } })).data!.live === 0);
check("a sandbox is ended", (await main.DELETE("/sandboxes/{name}", { params: { path: { name: "ann" } } })).response.status === 204);
