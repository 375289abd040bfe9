// What the clients have in common: the platform under test, and a login.
import { readFileSync } from "node:fs";

export const credentials = JSON.parse(readFileSync(process.env.CREDENTIALS, "utf8"));
export const base = credentials.base_url;
export const account = credentials.accounts[0];

export async function login(username = "admin", by = base) {
  const { password } = credentials.users.find((u) => u.username === username);
  const answer = await fetch(`${by}/api/v1/oauth/authorize`, { method: "POST", body: new URLSearchParams({ username, password }) });
  if (answer.status !== 200) throw new Error(`login: ${answer.status}`);
  return answer.json();
}

// send makes a request with a token and returns the answer.
export function send(token, method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
}

export function check(what, holds) {
  if (!holds) throw new Error(`does not hold: ${what}`);
  console.log(`ok  ${what}`);
}

export async function refuses(what, promise) {
  const error = await promise.then(() => null, (e) => e);
  check(`${what} is refused (${error?.code ?? error?.message})`, error !== null);
}
