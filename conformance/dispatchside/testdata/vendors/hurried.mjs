// A dispatch server as a hurried vendor writes it, in one file, with eight mistakes:
//
//   ids        journeyId is a number, and the string of it is not found
//   cancelled  the status is spelt CANCELED
//   active     a cancelled journey stays in activeBookings
//   edits      /book ignores the journeyId, and an edit makes a second booking
//   dates      a date is told in local time, without a zone: 2026-11-29 08:54:00
//   json       a body that is not JSON is answered 500
//   ranges     a latitude of 91 is taken
//   users      a booking is filed under the passenger's number, not under userId
//
// FIXED=ids,dates mends the named ones, ONLY=dates makes that one alone, and ONLY=
// with no name makes none. Two more are made only when they are named: with zone a
// date loses its offset, with offset it gets a Z in its place. PORT chooses the
// port; without it, or with 0, a free one is taken. SIGTERM ends the server, which
// prints how many journeys are still booked.
import http from 'node:http'

const eight = ['ids', 'cancelled', 'active', 'edits', 'dates', 'json', 'ranges', 'users']
const names = text => text.split(',').filter(Boolean)
const fixed = names(process.env.FIXED ?? '')
const only = process.env.ONLY === undefined ? eight : names(process.env.ONLY)
for (const name of [...fixed, ...only]) {
  if (![...eight, 'zone', 'offset'].includes(name)) throw new Error(`no mistake is called ${name}`)
}
const wrong = name => only.includes(name) && !fixed.includes(name)

const users = new Map() // phone number, digits only -> user
const journeys = new Map() // journeyId as text -> journey, with the user who booked it
let lastJourney = 0

const digits = phoneNumber => phoneNumber.replace('+', '')

class Refused extends Error {
  constructor (code, message) {
    super(message)
    this.code = code
  }
}

function need (right, what) {
  if (!right) throw new Refused(400, what)
}

const isText = value => typeof value === 'string' && value.trim() !== ''
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPhone = value => typeof value === 'string' && /^\+?[0-9]{7,15}$/.test(value)
const isNumber = (value, most) =>
  typeof value === 'number' && (wrong('ranges') || (Number.isFinite(value) && Math.abs(value) <= most))

const isAddress = value => isObject(value) && isText(value.address) && isObject(value.location) &&
  isNumber(value.location.longitude, 180) && isNumber(value.location.latitude, 90)

function isDate (value) {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
  return typeof value === 'string' && iso.test(value) && !Number.isNaN(Date.parse(value)) &&
    new Date(value.slice(0, 10)).toISOString().startsWith(value.slice(0, 10)) // Date takes 31 November for 1 December
}

// shownDate tells the pickup time again; only the last line is right.
function shownDate (sent) {
  if (wrong('dates')) return new Date(sent).toLocaleString('sv', { timeZone: 'Europe/London' })
  if (wrong('zone')) return sent.slice(0, 19)
  if (wrong('offset')) return sent.slice(0, 19) + 'Z'
  return sent
}

function shownJourney (journey) {
  const { user, number, pickupTime, ...rest } = journey
  return { journeyId: wrong('ids') ? number : String(number), date: shownDate(pickupTime), ...rest }
}

function user ({ phoneNumber }) {
  need(isPhone(phoneNumber), 'phoneNumber is not an E.164 number')
  const found = userOf(phoneNumber)
  const active = [...journeys.values()].filter(journey =>
    journey.user === found && (wrong('active') || !journey.status.startsWith('CANCEL')))
  return { ...found, activeBookings: active.map(shownJourney) }
}

function userOf (phoneNumber, name = 'Guest') {
  const key = digits(phoneNumber)
  if (!users.has(key)) users.set(key, { userId: `u${users.size + 1}`, phoneNumber: key, name })
  return users.get(key)
}

// booker is who books; the passenger's number may be another's.
function booker (request) {
  const known = [...users.values()].find(user => user.userId === request.userId)
  return (!wrong('users') && known) || userOf(request.phoneNumber, request.name)
}

function book (request) {
  need(isText(request.name), 'name is missing')
  need(isPhone(request.phoneNumber), 'phoneNumber is not an E.164 number')
  need(isAddress(request.pickup), 'pickup is not an address with a location')
  need(Array.isArray(request.dropoffs) && request.dropoffs.length > 0 && request.dropoffs.every(isAddress),
    'dropoffs are not one address or more')
  need(isDate(request.pickupTime), 'pickupTime is not an ISO 8601 date-time')
  need(request.journeyId == null || isText(request.journeyId), 'journeyId is not a string')
  const { pickupTime, pickup, dropoffs } = request
  const passenger = { name: request.name, phoneNumber: digits(request.phoneNumber) }
  let journey
  if (request.journeyId == null || wrong('edits')) {
    journey = { number: ++lastJourney, user: booker(request), status: 'WAITING' }
    journeys.set(String(journey.number), journey)
  } else {
    journey = journeyOf(request.journeyId, request.userId ?? userOf(request.phoneNumber).userId)
    if (journey.status !== 'WAITING') throw new Refused(409, 'this journey was cancelled')
  }
  Object.assign(journey, { pickupTime, pickup, dropoffs, passenger })
  return shownJourney(journey)
}

function journeyOf (journeyId, userId) {
  const journey = wrong('ids') ? [...journeys.values()].find(one => one.number === journeyId) : journeys.get(journeyId)
  if (!journey || journey.user.userId !== userId) throw new Refused(404, 'no such journey')
  return journey
}

function cancel ({ userId, journeyId }) {
  need(isText(userId) && (isText(journeyId) || wrong('ids')), 'userId and journeyId are strings')
  const journey = journeyOf(journeyId, userId)
  journey.status = wrong('cancelled') ? 'CANCELED' : 'CANCELLED'
  return shownJourney(journey)
}

function status ({ userId, journeyId }) {
  need(isText(userId) && (isText(journeyId) || wrong('ids')), 'userId and journeyId are strings')
  return shownJourney(journeyOf(journeyId, userId))
}

const config = () => ({ status: 'ok', eta: { value: 8, unit: 'minutes' } })

const operations = { '/config': config, '/user': user, '/book': book, '/cancel': cancel, '/status': status }

async function answer (request) {
  const operation = operations[request.url]
  if (!operation) throw new Refused(404, 'no such path')
  if (request.method !== 'POST') throw new Refused(405, 'every call is a POST')
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > 1 << 20) throw new Refused(413, 'more than 1 MiB')
    chunks.push(chunk)
  }
  const body = parsed(Buffer.concat(chunks))
  need(isObject(body), 'the body is not a JSON object')
  return operation(body)
}

function parsed (bytes) {
  if (wrong('json')) return JSON.parse(bytes.toString())
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refused(400, 'the body is not JSON')
  }
}

const server = http.createServer(async (request, response) => {
  let code = 200
  let reply
  try {
    reply = await answer(request)
  } catch (error) {
    code = error.code >= 400 ? error.code : 500
    reply = { error: error.message }
  }
  response.writeHead(code, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(reply))
})

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`))

process.on('SIGTERM', () => {
  const booked = [...journeys.values()].filter(journey => journey.status === 'WAITING').length
  console.log(`still booked: ${booked}`)
  server.close()
  server.closeAllConnections()
})
