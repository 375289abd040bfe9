// A dispatch server that is right by the interface and awkward to judge. Each
// variable of the environment adds one thing, and several may be given:
//
//   SLOW=3000      every answer takes so many milliseconds
//   RATE=20        429 beyond so many calls in a second; RETRY_AFTER=1 adds the header
//   LATE=40        call number 40 is answered late, by LATE_MS (12000)
//   BUSY=40        call number 40 is answered 503
//   CLOSE=1        every connection is closed after its answer
//   KNOWN=44…,44…  only these numbers are known: 404 at /user and /book for others
//   UTC=1          dates are told in UTC, whatever offset they were sent with
//   WHOLE=1        an edit replaces the booking, so it must carry every field, the userId too
//   ARRIVED=1      a pickup within 15 minutes has ARRIVED at once, and is not cancelled any more
//   PARTIAL=1      /book, /cancel and /status tell journeyId and status, no more
//   NOCANCEL=1     there is no /cancel; this one is not right
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused, listen } from './listen.mjs'
import { Dispatch } from './right.mjs'

const is = name => process.env[name] !== undefined
const number = (name, otherwise) => Number(process.env[name] ?? otherwise)
const known = (process.env.KNOWN ?? '').split(',')

class Awkward extends Dispatch {
  user (request) {
    refuseStranger(request)
    const { activeBookings, ...user } = super.user(request)
    return { ...user, activeBookings: activeBookings.map(told) }
  }

  book (request) {
    refuseStranger(request)
    if (is('WHOLE') && request.journeyId != null && !request.userId) throw new Refused(400, 'an edit without its userId')
    return part(told(super.book(request)))
  }

  created (request) {
    const journey = super.created(request)
    if (is('ARRIVED') && journey.status === 'ACCEPTED') journey.status = 'ARRIVED'
    return journey
  }

  cancel (request) {
    if (is('NOCANCEL')) throw new Refused(404, 'no such path')
    if (is('ARRIVED') && this.found(request).status === 'ARRIVED') throw new Refused(409, 'the taxi is at the door')
    return part(told(super.cancel(request)))
  }

  status (request) {
    return part(told(super.status(request)))
  }
}

function refuseStranger ({ phoneNumber }) {
  if (is('KNOWN') && typeof phoneNumber === 'string' && !known.includes(phoneNumber.replace('+', ''))) {
    throw new Refused(404, 'no such customer')
  }
}

const told = journey => is('UTC') ? { ...journey, date: new Date(journey.date).toISOString() } : journey
const part = ({ journeyId, status, ...rest }) => is('PARTIAL') ? { journeyId, status } : { journeyId, status, ...rest }

let second = 0
let inSecond = 0

function refuseHaste () {
  const now = Math.floor(Date.now() / 1000)
  inSecond = now === second ? inSecond + 1 : 1
  second = now
  if (inSecond > number('RATE')) {
    throw new Refused(429, 'too many calls', is('RETRY_AFTER') ? { 'Retry-After': process.env.RETRY_AFTER } : {})
  }
}

async function before (call, response) {
  if (is('CLOSE')) response.shouldKeepAlive = false
  if (is('RATE')) refuseHaste()
  if (call === number('BUSY')) throw new Refused(503, 'restarting')
  await sleep(call === number('LATE') ? number('LATE_MS', 12000) : number('SLOW', 0))
}

const dispatch = new Awkward()
const operations = {}
for (const name of ['config', 'user', 'book', 'cancel', 'status', 'advance']) {
  operations[name] = request => dispatch[name](request)
}
listen(operations, () => dispatch.booked(), before)
