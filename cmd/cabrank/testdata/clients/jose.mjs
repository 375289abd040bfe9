// The access token is verified by npm's jose with the published keys, and what an
// attacker makes with jose is refused by the platform.
import { createPublicKey } from "node:crypto";
import { SignJWT, UnsecuredJWT, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, exportJWK, exportSPKI, generateKeyPair, importJWK, jwtVerify } from "jose";
import { base, check, login, refuses, send } from "./platform.mjs";

const keys = () => createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`));
const options = { issuer: "cabrank", audience: "cabrank-platform", algorithms: ["RS256"] };
const { access_token: access, refresh_token: refresh, expires_in, refresh_expires_in } = await login();

const { payload, protectedHeader } = await jwtVerify(access, keys(), options);
check("realm_access.roles", payload.realm_access.roles.includes("OrganisationAdmin"));
check("the token lives as long as expires_in says", payload.exp - payload.iat === expires_in);
const later = decodeJwt(refresh);
check("the refresh token outlives it", later.exp - later.iat === refresh_expires_in && refresh_expires_in > expires_in);

const [head, body, signature] = access.split(".");
const forged = Buffer.from(JSON.stringify({ ...payload, realm_access: { roles: ["King"] } })).toString("base64url");
await refuses("other claims under the same signature", jwtVerify(`${head}.${forged}.${signature}`, keys(), options));
await refuses("a token cut short", jwtVerify(access.slice(0, -8), keys(), options));
await refuses("another audience", jwtVerify(access, keys(), { ...options, audience: "elsewhere" }));
await refuses("a token after its time", jwtVerify(access, keys(), { ...options, currentDate: new Date((payload.exp + 1) * 1000) }));

// What an attacker shows to the platform.
const me = async (token) => (await send(token, "GET", "/api/v1/userAccounts/me")).status;
check("the token is good", (await me(access)) === 200);
const { keys: [published] } = await (await fetch(`${base}/.well-known/jwks.json`)).json();
const spki = await exportSPKI(await importJWK(published, "RS256", { extractable: true }).catch(() => createPublicKey({ key: published, format: "jwk" })));
const mine = await generateKeyPair("RS256", { extractable: true });
const signed = (header, key) => new SignJWT(payload).setProtectedHeader({ ...protectedHeader, ...header }).sign(key);
const attacks = {
  "alg none": new UnsecuredJWT(payload).encode(),
  "alg none with our kid": `${Buffer.from(JSON.stringify({ alg: "none", kid: protectedHeader.kid })).toString("base64url")}.${body}.`,
  "HS256 with the public key as the secret": await signed({ alg: "HS256" }, new TextEncoder().encode(spki)),
  "HS256 with the modulus as the secret": await signed({ alg: "HS256" }, Buffer.from(published.n, "base64url")),
  "a foreign key under our kid": await signed({}, mine.privateKey),
  "a foreign key with jwk": await signed({ jwk: await exportJWK(mine.publicKey) }, mine.privateKey),
  "a foreign key with jku": await signed({ jku: "http://127.0.0.1:9/keys", kid: "mine" }, mine.privateKey),
  "a kid that is a path": await signed({ kid: "../../../dev/null" }, mine.privateKey),
  "a kid that is SQL": await signed({ kid: "' OR 1=1 --" }, mine.privateKey),
  "other claims": `${head}.${forged}.${signature}`,
  "cut short": access.slice(0, -1),
  "no signature": `${head}.${body}.`,
  "the refresh token": refresh,
};
for (const [what, token] of Object.entries(attacks)) check(`${what}: 401`, (await me(token)) === 401);

// Rotation: old tokens stay good, new ones name the new key.
check("keys rotate", (await fetch(`${base}/sim/v1/keys`, { method: "POST" })).status === 204);
const newer = (await login()).access_token;
check("the new token names the new key", decodeProtectedHeader(newer).kid !== protectedHeader.kid);
await jwtVerify(newer, keys(), options);
await jwtVerify(access, keys(), options);
check("both are good at the platform", (await me(access)) === 200 && (await me(newer)) === 200);
