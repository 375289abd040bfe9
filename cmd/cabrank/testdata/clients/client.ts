// A client whose types are generated from the OpenAPI document by
// openapi-typescript: it compiles only if the document says what it uses.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./rest.js";
import { account, base, check, credentials, login } from "./platform.mjs";

const rest: Client<paths> = createClient<paths>({ baseUrl: base });
const { password } = credentials.users.find((u: { username: string }) => u.username === "admin");

const token = await rest.POST("/api/v1/oauth/authorize", {
  body: { username: "admin", password },
  bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});
check("a token", token.response.status === 200 && token.data!.refresh_expires_in > token.data!.expires_in);
rest.use({ onRequest: ({ request }) => void request.headers.set("Authorization", `Bearer ${token.data!.access_token}`) });

const organisation = await rest.GET("/api/v1/userAccounts/me");
check("the organisation", organisation.data!.name === credentials.organisation.name);
const accounts = await rest.GET("/api/v1/account");
check("the accounts", accounts.data!.some((a) => a.id === account.id));
const params = { path: { account: account.id as string } };
check("the account", (await rest.GET("/api/v1/account/{account}", { params })).data!.mbn === account.mbn);
const address: components["schemas"]["Address"] = { line1: "1 High Street", line2: "", level1: "Otterbridge", level2: "", postalCode: "ZT1 1AA", country: "GB" };
check("an address is put", (await rest.PUT("/api/v1/account/{account}/address", { params, body: address })).response.status === 204);
check("and read", (await rest.GET("/api/v1/account/{account}/address", { params })).data!.line1 === address.line1);
const ddis = await rest.GET("/api/v1/account/{account}/ddi", { params });
check("the numbers", ddis.data!.length === account.ddis.length);

const trunk = await rest.POST("/api/v1/account/{account}/trunk", { params, body: { ip: "192.0.2.7", port: 5060, countryCode: "gb", zone: "north" } });
check("a trunk is made", trunk.response.status === 201 && trunk.data!.id !== "");
const one = { path: { ...params.path, id: trunk.data!.id } };
check("put", (await rest.PUT("/api/v1/account/{account}/trunk/{id}", { params: one, body: { id: trunk.data!.id, ip: "192.0.2.8" } })).response.status === 204);
check("and read", (await rest.GET("/api/v1/account/{account}/trunk/{id}", { params: one })).data!.ip === "192.0.2.8");

const hook = await rest.POST("/api/v1/account/{account}/hook", { params, body: { app: "event.generic", url: "https://hooks.example/events", authType: "KEY", apiKeyName: "X-Key", apiKeyValue: "k" } });
check("a hook is made", hook.response.status === 201);
const shown = await rest.GET("/api/v1/account/{account}/hook/{id}", { params: { path: { ...params.path, id: hook.data!.id } } });
check("its secret is not shown", shown.data!.apiKeyValue === "***");

const device = await rest.POST("/api/v1/account/{account}/device", {
  params, body: { type: "SIP_GATEWAY", name: "Office", extension: "", sipGateway: { trunks: [trunk.data!.id], onBusy: "HANGUP" } },
});
check("a device is made", device.response.status === 201);
const refused = await rest.POST("/api/v1/account/{account}/device", {
  params, body: { type: "SIP_GATEWAY", name: "Office", sipGateway: { trunks: ["nowhere"] } },
});
check("a problem is typed", refused.error!.code === "validation_failed" && refused.error!.errors![0]!.pointer === "/sipGateway/trunks/0");

const call = await rest.POST("/api/v1/account/{account}/channels/voice", {
  params, body: { target: { phoneNumber: { number: "+442079460001" } }, verbs: [{ say: { text: ["Hello."] } }] },
});
check("a call is placed", call.response.status === 201 && call.data!.status === "queued");
const viewer = (await login("recorder")).access_token;
const forbidden = await rest.POST("/api/v1/account/{account}/trunk", { params, body: { ip: "192.0.2.9" }, fetch: (request: Request) => { request.headers.set("Authorization", `Bearer ${viewer}`); return fetch(request); } });
check("a role is asked for", forbidden.response.status === 403 && forbidden.error!.code === "role_required");
