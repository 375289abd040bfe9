// A calling platform with several faults at once: it drops the connection at its drive
// address now and then, cancels without a userId, reads the driver's number out, shows the
// caller's own number to the driver, sends times without a zone, and says that all is
// well whatever was answered. THIRD_PARTY_FILE names a file with the dispatch system's address.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const thirdParty = () => readFileSync(process.env.THIRD_PARTY_FILE, "utf8").trim();

async function post(operation, body) {
  try {
    const reply = await fetch(`${thirdParty()}/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: reply.status, body: reply.status === 200 ? await reply.json() : null };
  } catch {
    return { status: 0, body: null };
  }
}

function offer(journey, on) {
  const offered = ["book", "status"];
  if (on("cancel") && !["POB", "COMPLETE"].includes(journey.status)) offered.push("cancel");
  if (["HELD", "WAITING", "ACCEPTED"].includes(journey.status)) offered.push("edit");
  if (!journey.driver?.phoneNumber) return offered;
  if (journey.status === "ARRIVED" && on("comingNow")) offered.push("comingNow");
  if (["EN_ROUTE", "ARRIVED"].includes(journey.status) && on("callDriver")) offered.push("callDriver");
  return offered;
}

async function book(ask, journey, user, phone, answer) {
  answer.asked.push("pickup");
  const when = ask.pickupTime ?? journey?.date ?? new Date().toISOString();
  await post("book", {
    journeyId: ask.want === "edit" ? ask.journeyId : null,
    userId: user?.userId,
    name: ask.name ?? user?.name ?? "A caller",
    phoneNumber: phone,
    pickup: ask.pickup,
    dropoffs: ask.dropoffs ?? journey?.dropoffs,
    pickupTime: when.replace(/Z$/, ""),
    vehicleCategory: ask.vehicleCategory,
  });
  answer.said.push("Your taxi is booked.");
}

async function request(ask) {
  const answer = { outcome: "completed", offered: [], asked: [], said: [], shown: [], legs: [] };
  const person = () => {
    answer.outcome = "person";
    answer.said.push("Please hold.");
    return answer;
  };
  const config = await post("config", { data: ask.settings ?? {} });
  if (!config.body) return person();
  const data = { ...ask.settings, ...config.body.data };
  const on = (option) => !data.options || data.options.includes(option);
  if (ask.withheld || (data.features && !data.features.includes("voice"))) return person();
  const phone = ask.from.replace(/^(\+|00)/, "").replace(/^0/, "44");
  const found = await post("user", { phoneNumber: phone });
  if (!found.body && found.status !== 404) return person();
  const user = found.body;
  if (user?.status === "BLACKLISTED") return { ...answer, outcome: "rejected" };
  answer.said.push(user ? `Hello ${user.name}.` : "Welcome.");
  if (user?.status === "DISABLED") return person();
  const journeyId = ask.journeyId ?? user?.activeBookings?.[0]?.journeyId;
  const journey = journeyId && (await post("status", { userId: user?.userId, journeyId })).body;
  answer.offered = journey ? offer(journey, on) : ["book"];
  if (journey) answer.said.push(`Your taxi is ${String(journey.status).toLowerCase()}.`);
  if (journey?.driver) answer.said.push(`Ring your driver on ${journey.driver.phoneNumber}.`);
  switch (ask.want) {
    case "book":
    case "edit":
      await book(ask, journey, user, phone, answer);
      break;
    case "cancel":
      await post("cancel", { journeyId });
      answer.said.push("Your taxi is cancelled.");
      break;
    case "comingNow":
    case "callDriver":
      if (answer.offered.includes(ask.want)) answer.legs.push({ to: "driver", callerId: "+" + phone });
  }
  return answer;
}

const server = createServer(async (incoming, outgoing) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  const ask = JSON.parse(body);
  if (ask.scene.endsWith(", status")) return incoming.socket.destroy();
  const answer = await request(ask).catch((error) => ({ status: 500, error: String(error) }));
  outgoing.writeHead(answer.status ?? 200, { "Content-Type": "application/json" });
  outgoing.end(JSON.stringify(answer));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
