// A dispatch system for each test: a world of its own, whose clock stands still. It takes
// the server of CABRANK_URL, or starts one for the file of tests; nothing but vitest and
// Node is needed, and a cabrank on the path if one is to be started.
import {spawn} from 'node:child_process'
import {mkdtempSync, readFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base} from 'vitest'

// Refused is an answer that is no success, with its status and its problem document.
export class Refused extends Error {
  constructor(status, problem) {
    super(`${status}: ${problem.detail ?? JSON.stringify(problem)}`)
    Object.assign(this, {status, problem})
  }
}

export async function call(method, url, body, headers = {}) {
  const answer = await fetch(url, {
    method,
    headers: {'Content-Type': 'application/json', ...headers},
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  const value = text ? JSON.parse(text) : undefined
  if (!answer.ok) throw new Refused(answer.status, value ?? {})
  return value
}

// Taxis is a world. Give its url to your platform, as the third party's address.
export class Taxis {
  constructor(url) {
    this.url = url
  }

  // control makes a call of control, see /_control/v1/openapi.json.
  control(method, path, body) {
    return call(method, `${this.url}/_control/v1${path}`, body)
  }

  // advance moves the clock: {by: '15m'} or {until: {journey: 'latest', status: 'ARRIVED'}}.
  advance(how) {
    return this.control('POST', '/clock/advance', how)
  }

  // fault has something go wrong, as 'cabrank fault catalogue' lists it.
  fault(kind, op, parameters = {}) {
    return this.control('POST', '/faults', {match: {op}, window: {times: 1}, do: {kind, ...parameters}})
  }

  // wait waits until the platform has asked.
  async wait(match, count = 1, timeout = '10s') {
    return (await this.control('POST', '/requests/wait', {match, count, timeout})).requests
  }

  // verify says which requests there were: {op: 'book', times: 1}.
  verify(...expect) {
    return this.control('POST', '/verify', {expect, inOrder: true})
  }

  // tell prints what was asked, and why it was refused.
  async tell() {
    const {requests} = await this.control('GET', '/requests?limit=20')
    for (const r of requests) {
      const {code = '', detail = ''} = (r.status >= 400 && r.answer?.body) || {}
      console.log(`${r.id}  /${r.op} ${r.status ?? 'no answer'}  ${code} ${detail}  ${r.verdict}`)
    }
  }

  async journeys(phone) {
    return (await this.control('GET', `/journeys?phone=${phone}`)).journeys
  }
}

async function start() {
  const file = join(mkdtempSync(join(tmpdir(), 'cabrank-')), 'url')
  const server = spawn('cabrank', ['serve', '--listen', '127.0.0.1:0', '--url-file', file, '--log', 'off'], {stdio: 'ignore'})
  for (;;) {
    if (server.exitCode !== null) throw new Error('cabrank serve has ended')
    try {
      const url = readFileSync(file, 'utf8').trim()
      if (url) return {url, stop: () => server.kill()}
    } catch {
      // it is not there yet
    }
    await new Promise((done) => setTimeout(done, 20))
  }
}

export const test = base.extend({
  // The address of a server.
  cabrank: [
    async ({}, use) => {
      const own = process.env.CABRANK_URL ? {url: process.env.CABRANK_URL, stop() {}} : await start()
      await use(own.url)
      own.stop()
    },
    {scope: 'file'},
  ],
  // A world of the test's own, at eight on a Monday morning. A platform asks the clock of its
  // own machine when it books for now: callers: 'wall' has the world take times by that clock,
  // so that in half an hour is half an hour of the world. With 'world' it takes them as they are
  // written, for a platform that is given the world's clock.
  taxis: async ({cabrank, onTestFailed}, use) => {
    const clock = {mode: 'manual', now: '2026-06-01T08:00:00Z', callers: 'wall'}
    const made = await call('POST', `${cabrank}/_control/v1/sandboxes`, {clock})
    const taxis = new Taxis(made.thirdPartyUrl)
    onTestFailed(() => taxis.tell())
    await use(taxis)
    await call('DELETE', `${cabrank}/_control/v1/sandboxes/${made.name}`)
  },
})
