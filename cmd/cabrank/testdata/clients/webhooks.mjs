// Deliveries to an event hook, and turns of a flow hook, are verified by the
// library of Standard Webhooks itself.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { account, base, check, login, refuses, send } from "./platform.mjs";

const secret = "whsec_" + randomBytes(32).toString("base64");
const webhook = new Webhook(secret);
const events = [];
let turns = 0, last, done;
const completed = new Promise((resolve) => (done = resolve));

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const told = webhook.verify(body, request.headers); // throws if the signature is wrong
  last = { body, headers: request.headers };
  if (request.url === "/flow") {
    turns++;
    response.setHeader("Content-Type", "application/json");
    response.end(told.action === "start" ? '[{"gather":{"timeout":1,"say":{"text":["Press a key."]}}}]' : "[]");
    return;
  }
  events.push(told);
  response.end();
  if (told.type === "call.completed") done();
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.on("listening", resolve));
server.on("error", (e) => { throw e; });

const here = `http://127.0.0.1:${server.address().port}`;
const token = (await login()).access_token;
const hook = (app, path) => send(token, "POST", `/api/v1/account/${account.id}/hook`, { app, url: here + path, secret, authType: "DISABLED", method: "POST", priority: 1 });
check("an event hook is made", (await hook("event.generic", "/events")).status === 201);
check("a flow hook is made", (await hook("flow.generic", "/flow")).status === 201);

const call = await fetch(`${base}/channels/voice`, {
  method: "POST",
  headers: { Authorization: "Basic " + Buffer.from(`${account.id}:${account.client_id}`).toString("base64"), "Content-Type": "application/json" },
  body: JSON.stringify({ target: { phoneNumber: { number: "+442079460001" } }, tag: { data: { order: 7 } }, verbs: [{ gather: { timeout: 1 } }] }),
});
check("a call is placed", call.status === 201);
const { id } = await call.json();
await completed;
const mine = events.filter((e) => e.data.callId === id);
check("every event of the call came and was signed", mine.length >= 4 && mine.at(-1).type === "call.completed");
check("they are in order", mine.every((e, i) => e.data.seq === i + 1));
check("the tag comes back", mine.every((e) => e.data.tag.data.order === 7));
check("turns are signed as well", turns > 0);

await refuses("another body", (async () => webhook.verify(last.body + " ", last.headers))());
await refuses("another secret", (async () => new Webhook("whsec_" + randomBytes(32).toString("base64")).verify(last.body, last.headers))());
await refuses("an old delivery", (async () => webhook.verify(last.body, { ...last.headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 3600) }))());
server.close();
server.closeAllConnections();
