// A calling platform as somebody writes it in an afternoon who has read the interface and
// the drive protocol, and has a demonstration tomorrow. It is meant to work. THIRD_PARTY
// is the address of the dispatch system.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const thirdParty = () => readFileSync(process.env.THIRD_PARTY_FILE, "utf8").trim();

async function call(operation, body) {
  const response = await fetch(`${thirdParty()}/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${operation} ${response.status}`);
  return response.json();
}

// Networks are flaky, so everything is tried three times.
async function retry(operation, body) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(operation, body);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

function plus(number) {
  if (number.startsWith("+")) return number;
  if (number.startsWith("00")) return "+" + number.slice(2);
  if (number.startsWith("0")) return "+44" + number.slice(1);
  return "+" + number;
}

async function request(ask) {
  const answer = { outcome: "completed", offered: ["book"], asked: [], said: [], shown: [], legs: [] };
  const say = (text) => answer.said.push(text);
  const on = (option) => !ask.settings || ask.settings.options.includes(option);
  const phoneNumber = plus(ask.from);
  const user = await retry("user", { phoneNumber });
  say(`Hello ${user.name}!`);
  const ref = { userId: user.userId, journeyId: ask.journeyId };

  let journey;
  if (ask.journeyId) {
    journey = await retry("status", ref);
    answer.offered.push("status");
    if (on("cancel")) answer.offered.push("cancel");
    answer.offered.push("edit");
    if (journey.driver && ["EN_ROUTE", "ARRIVED"].includes(journey.status)) {
      if (on("comingNow")) answer.offered.push("comingNow");
      if (on("callDriver")) answer.offered.push("callDriver");
    }
  }

  if (ask.want === "book" || ask.want === "edit") {
    answer.asked.push("pickup", "dropoff", "time");
    const booked = await retry("book", {
      journeyId: ask.want === "edit" ? ask.journeyId : undefined,
      userId: user.userId,
      name: ask.name || user.name,
      phoneNumber,
      pickup: ask.pickup,
      dropoffs: ask.dropoffs || journey.dropoffs,
      pickupTime: ask.pickupTime || new Date().toISOString(),
    });
    say(`Your taxi is booked. Your job number is ${booked.journeyId}.`);
  } else if (ask.want === "cancel") {
    await retry("cancel", ref);
    say("Your taxi has been cancelled.");
  } else if (ask.want === "status") {
    say(`Your taxi is ${journey.status.toLowerCase().replace("_", " ")}.`);
    if (on("eta") && journey.eta) say(`It will be there in ${journey.eta.value} ${journey.eta.unit}.`);
    if (on("vehicle") && journey.vehicle) say(`Look for a ${journey.vehicle.description}.`);
    if (on("vehicleReg") && journey.vehicle) say(`Registration ${journey.vehicle.registration}.`);
    if (on("driverName") && journey.driver) say(`Your driver is ${journey.driver.name}, you can reach them on ${journey.driver.phoneNumber}.`);
    if (ask.channel === "messaging" && journey.location) answer.shown.push({ kind: "location", ...journey.location });
  } else if (ask.want === "comingNow") {
    answer.legs.push({ to: "driver", callerId: "+441134960000" });
    say("I have told the driver.");
  } else if (ask.want === "callDriver") {
    say("Connecting you.");
    answer.legs.push({ to: "driver", callerId: "+441134960000" });
  }
  return answer;
}

const server = createServer(async (incoming, outgoing) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  try {
    const answer = await request(JSON.parse(body));
    outgoing.writeHead(200, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify(answer));
  } catch (error) {
    outgoing.writeHead(200, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify({ outcome: "person", offered: [], asked: [], said: ["Sorry, something went wrong."], shown: [], legs: [{ to: "person" }] }));
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/drive`));
