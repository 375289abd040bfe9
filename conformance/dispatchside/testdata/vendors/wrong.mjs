// A dispatch server with faults of a vendor who read the interface once and tried
// little. FIXED=price,badge mends the named ones, ONLY=price makes that one alone,
// and ONLY= with no name makes none.
import { Refused, listen, names } from './listen.mjs'
import { Dispatch } from './right.mjs'

const dispatch = new Dispatch()

const isEdit = (name, request) => name === 'book' && request.journeyId != null

// ofJourneys has a change made to each journey of a reply.
const ofJourneys = change => reply => {
  if (reply.activeBookings) return { ...reply, activeBookings: reply.activeBookings.map(change) }
  return reply.journeyId ? change(reply) : reply
}

const swap = ({ address, location }) =>
  ({ address, location: { longitude: location.latitude, latitude: location.longitude } })

// faults change a reply of an operation; they are applied in this order.
const faults = {
  // A user is told the bookings of all users.
  everybody: (reply, name) => name === 'user'
    ? { ...reply, activeBookings: [...dispatch.users.values()].flatMap(user => dispatch.user(user).activeBookings) }
    : reply,
  // An edit loses the passenger.
  wipe: (reply, name, request) => {
    if (!isEdit(name, request)) return reply
    delete dispatch.journeys.get(request.journeyId).passenger
    return { ...reply, passenger: undefined }
  },
  // An edit gives the journey a passenger of another name.
  rename: (reply, name, request) => {
    if (!isEdit(name, request)) return reply
    const journey = dispatch.journeys.get(request.journeyId)
    journey.passenger = { ...journey.passenger, name: 'Guest' }
    return { ...reply, passenger: journey.passenger }
  },
  passengerx: ofJourneys(({ passenger, ...rest }) => ({ ...rest, passengerx: passenger })),
  lowercase: ofJourneys(journey => ({ ...journey, status: journey.status.toLowerCase() })),
  pending: ofJourneys(journey => journey.status === 'WAITING' ? { ...journey, status: 'PENDING' } : journey),
  price: ofJourneys(journey => ({ ...journey, price: { ...journey.price, value: '12.50' } })),
  eta: ofJourneys(journey => journey.eta ? { ...journey, eta: `${journey.eta.value} minutes` } : journey),
  badge: ofJourneys(journey => journey.driver
    ? { ...journey, driver: { ...journey.driver, badgeNumber: undefined } }
    : journey),
  reverse: ofJourneys(journey => ({ ...journey, dropoffs: [...journey.dropoffs].reverse() })),
  swapped: ofJourneys(journey => ({ ...journey, pickup: swap(journey.pickup), dropoffs: journey.dropoffs.map(swap) })),
  options: (reply, name) => name === 'user'
    ? { ...reply, data: { ...reply.data, options: ['ETA', 'Vehicle', 'cancel'] } }
    : reply,
  number: (reply, name) => name === 'user' ? { ...reply, phoneNumber: Number(reply.phoneNumber) } : reply,
  nobookings: (reply, name) => name === 'user' ? { ...reply, activeBookings: null } : reply,
  empty: (reply, name) => name === 'cancel' ? {} : reply,
  wrapped: reply => ({ success: true, data: reply })
}

const all = [...Object.keys(faults), 'user500', 'always200']
const usual = ['wipe', 'passengerx', 'options', 'lowercase', 'price', 'badge', 'reverse', 'user500', 'empty']
const fixed = names('FIXED', all)
const chosen = (process.env.ONLY === undefined ? usual : names('ONLY', all)).filter(name => !fixed.includes(name))

const operations = {}
for (const name of ['config', 'user', 'book', 'cancel', 'status', 'advance']) {
  operations[name] = request => {
    if (chosen.includes('user500') && name === 'user') failOnStranger(request)
    try {
      return wrongly(name, request)
    } catch (error) {
      if (!chosen.includes('always200')) throw error
      return { error: error.message }
    }
  }
}

function wrongly (name, request) {
  let reply = dispatch[name](request)
  for (const [fault, change] of Object.entries(faults)) {
    if (chosen.includes(fault)) reply = change(reply, name, request)
  }
  return reply
}

// failOnStranger is what becomes of a lookup whose result is not looked at.
function failOnStranger ({ phoneNumber }) {
  if (!dispatch.users.has(String(phoneNumber).replace('+', ''))) {
    throw new Refused(500, "Cannot read properties of undefined (reading 'id')")
  }
}

listen(operations, () => dispatch.booked())
