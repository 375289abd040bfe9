// A voice platform as a hurried vendor writes it, in one file, with eleven mistakes:
//
//   expiry   an access token is taken for ever, whatever exp says
//   codes    200 where the interface has 201 and 204
//   roles    anybody who is logged in may do everything
//   tenancy  a trunk, hook or device is found by its id alone, whoever's account it is of
//   html     an error is a page for people
//   json     a body that cannot be read is answered 500, with the stack
//   ids      a PUT takes the id of the body, and the thing has another one from then on
//   address  a PUT of the address forgets level2
//   port     the port of a trunk is told as text
//   open     the list of hooks is shown to whoever asks
//   client   the Voice API looks at the account's ID only
//
// ONLY=codes,ids makes those alone, and ONLY= with no name makes none. PORT chooses the
// port; without it a free one is taken. The first line that is printed is the address,
// the second the credentials as JSON. A number on the standard input moves the clock on
// by so many seconds, and is printed when it has. SIGTERM ends it.
import http from 'node:http'
import crypto from 'node:crypto'

const eleven = ['expiry', 'codes', 'roles', 'tenancy', 'html', 'json', 'ids', 'address', 'port', 'open', 'client']
const only = process.env.ONLY === undefined ? eleven : process.env.ONLY.split(',').filter(Boolean)
for (const name of only) if (!eleven.includes(name)) throw new Error(`no mistake is called ${name}`)
const wrong = name => only.includes(name)

const life = 2 // seconds
const secret = crypto.randomBytes(32)
const organisation = { id: crypto.randomUUID(), name: 'Harbour Cars' }
const users = [
  { username: 'boss', password: 'boss-password', roles: ['OrganisationAdmin'] },
  { username: 'phones', password: 'phones-password', roles: ['VoiceChannel'] }
]
const newAccount = (name, mbn, numbers) => ({
  id: crypto.randomUUID(),
  name,
  mbn,
  domain: name.toLowerCase() + '.example',
  clientId: crypto.randomUUID(),
  address: { line1: '1 Quay', line2: '', level1: 'Harbour', level2: 'Kent', postalCode: 'ZT1 1AA', country: 'GB' },
  ddi: numbers.map(name => ({ id: crypto.randomUUID(), name })),
  trunk: [],
  hook: [],
  device: []
})
const accounts = [newAccount('Dover', '441304960100', ['441304960101', '441304960102']), newAccount('Deal', '441304960200', ['441304960201'])]

class Refused extends Error {
  constructor (code, message) {
    super(message)
    this.code = code
  }
}

const b64 = v => Buffer.from(typeof v === 'string' ? v : JSON.stringify(v)).toString('base64url')
const sign = text => crypto.createHmac('sha256', secret).update(text).digest('base64url')
let ahead = 0 // seconds
const now = () => Math.floor(Date.now() / 1000) + ahead

function jwt (user, kind, seconds) {
  const text = b64({ alg: 'HS256', typ: 'JWT' }) + '.' + b64({
    sub: user.username, kind, iat: now(), exp: now() + seconds, realm_access: { roles: user.roles }
  })
  return text + '.' + sign(text)
}

function read (token, kind) {
  const [head, body, mark] = token.split('.')
  if (sign(head + '.' + body) !== mark) throw new Refused(401, 'bad token')
  const claims = JSON.parse(Buffer.from(body, 'base64url'))
  if (claims.kind !== kind) throw new Refused(401, 'wrong kind of token')
  if (claims.exp <= now() && !(wrong('expiry') && kind === 'access')) throw new Refused(401, 'token expired')
  return users.find(u => u.username === claims.sub)
}

function tokens (form) {
  const user = form.has('token')
    ? read(form.get('token'), 'refresh')
    : users.find(u => u.username === form.get('username') && u.password === form.get('password'))
  if (!user) throw new Refused(401, 'wrong user name or password')
  return {
    access_token: jwt(user, 'access', life), refresh_token: jwt(user, 'refresh', 600), expires_in: life, refresh_expires_in: 600
  }
}

// shapes say which type each field has; what has no field here is taken as it is.
const shapes = {
  trunk: { ip: 'string', port: 'number', vendor: 'string', callerFormat: 'string', calledFormat: 'string', description: 'string', zone: 'string', countryCode: 'string' },
  hook: { app: 'string', url: 'string', authType: 'string', method: 'string', priority: 'number' },
  device: { type: 'string', name: 'string', extension: 'string' },
  address: { line1: 'string', line2: 'string', level1: 'string', level2: 'string', postalCode: 'string', country: 'string' }
}

function checked (kind, body) {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Refused(400, 'want an object')
  for (const [name, type] of Object.entries(shapes[kind])) {
    if (typeof body[name] !== type) throw new Refused(400, `${name} wants a ${type}`)
  }
  return body
}

const verbs = ['dial', 'say', 'play', 'gather', 'reject', 'hangup', 'redirect']

function place (body) {
  if (body === null || typeof body !== 'object' || typeof body.target !== 'object' || !Array.isArray(body.verbs)) throw new Refused(400, 'want a target and verbs')
  for (const verb of body.verbs) {
    const keys = Object.keys(verb)
    if (keys.length !== 1 || !verbs.includes(keys[0])) throw new Refused(400, 'a verb has one key of ' + verbs.join(', '))
  }
  return { id: crypto.randomUUID() }
}

const shown = (kind, item) => kind === 'trunk' && wrong('port') ? { ...item, port: String(item.port) } : item

// things serves the four operations of trunks, hooks and devices.
function things (method, account, kind, id, body) {
  const all = account[kind]
  if (!id) {
    if (method === 'GET') return [200, all.map(item => shown(kind, item))]
    const made = { ...checked(kind, body()), id: crypto.randomUUID() }
    all.push(made)
    return [wrong('codes') ? 200 : 201, { id: made.id }]
  }
  const among = wrong('tenancy') ? accounts.flatMap(a => a[kind]) : all
  const found = among.find(item => item.id === id)
  if (!found) throw new Refused(404, 'no such ' + kind)
  if (method === 'GET') return [200, shown(kind, found)]
  const changed = checked(kind, body())
  if (!wrong('ids') && changed.id !== id) throw new Refused(400, 'the id is not that of the path')
  all[all.indexOf(found)] = changed
  return wrong('codes') ? [200, changed] : [204]
}

function serve (req, text) {
  const path = new URL(req.url, 'http://here').pathname
  const body = () => {
    try {
      return JSON.parse(text)
    } catch (e) {
      throw wrong('json') ? e : new Refused(400, 'not JSON')
    }
  }
  const [scheme, shows] = (req.headers.authorization ?? ' ').split(' ')
  if (path === '/channels/voice' && req.method === 'POST') {
    const [id, client] = Buffer.from(shows, 'base64').toString().split(':')
    const account = accounts.find(a => a.id === id)
    if (scheme !== 'Basic' || !account || (account.clientId !== client && !wrong('client'))) throw new Refused(401, 'who are you?')
    return [201, place(body())]
  }
  const parts = path.split('/').slice(3) // after /api/v1
  if (!path.startsWith('/api/v1/')) throw new Refused(404, 'nothing here')
  if (parts.join('/') === 'oauth/authorize' && req.method === 'POST') return [200, tokens(new URLSearchParams(text))]
  const unguarded = wrong('open') && req.method === 'GET' && parts[2] === 'hook' && parts.length === 3
  const user = unguarded ? users[0] : scheme === 'Bearer' ? read(shows, 'access') : null
  if (!user) throw new Refused(401, 'log in first')
  if (parts.join('/') === 'userAccounts/me' && req.method === 'GET') return [200, organisation]
  if (parts[0] !== 'account') throw new Refused(404, 'nothing here')
  if (parts.length === 1 && req.method === 'GET') return [200, accounts.map(({ id, name }) => ({ id, name }))]
  const account = accounts.find(a => a.id === parts[1])
  if (!account) throw new Refused(404, 'no such account')
  if (parts.length === 2 && req.method === 'GET') {
    const { id, name, mbn, domain } = account
    return [200, { id, name, mbn, domain }]
  }
  const may = user.roles.includes('OrganisationAdmin') || ['ddi', 'channels'].includes(parts[2]) || wrong('roles')
  if (!may) throw new Refused(403, 'not for you')
  const what = req.method + ' ' + parts.slice(2, 3)
  if (what === 'GET address') return [200, account.address]
  if (what === 'PUT address') {
    account.address = { ...checked('address', body()) }
    if (wrong('address')) account.address.level2 = ''
    return wrong('codes') ? [200, account.address] : [204]
  }
  if (what === 'GET ddi') return [200, account.ddi]
  if (what === 'POST channels') return [wrong('codes') ? 200 : 201, place(body())]
  if (['trunk', 'hook', 'device'].includes(parts[2]) && ['GET', parts[3] ? 'PUT' : 'POST'].includes(req.method)) {
    return things(req.method, account, parts[2], parts[3], body)
  }
  throw new Refused(405, 'not that way')
}

const server = http.createServer((req, res) => {
  let text = ''
  req.on('data', part => { text += part })
  req.on('end', () => {
    let code, reply
    try {
      [code, reply] = serve(req, text)
    } catch (e) {
      code = e.code ?? 500
      if (wrong('html') || code === 500) {
        res.writeHead(code, { 'Content-Type': 'text/html' })
        res.end(`<html><h1>${code}</h1><pre>${code === 500 ? e.stack : e.message}</pre></html>`)
        return
      }
      reply = { error: e.message }
    }
    res.writeHead(code, { 'Content-Type': 'application/json' })
    res.end(code === 204 ? undefined : JSON.stringify(reply))
  })
})

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port
  console.log(url)
  console.log(JSON.stringify({
    base_url: url, voice_base_url: url, users, accounts: accounts.map(({ id, clientId }) => ({ id, client_id: clientId }))
  }))
})
process.stdin.on('data', line => {
  ahead += Number(line)
  console.log(ahead)
})
process.on('SIGTERM', () => process.exit(0))
