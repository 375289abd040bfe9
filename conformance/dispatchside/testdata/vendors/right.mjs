// A small dispatch system that is right by the interface. The wrong server is made
// from it.
import { Refused } from './listen.mjs'

const driver = { name: 'Jo Field', phoneNumber: '447700900001', badgeNumber: 'B 1177' }
const vehicle = { description: 'Silver Skoda Octavia', registration: 'YJ24 ABC' }
const over = ['COMPLETE', 'CANCELLED']
const underWay = ['ACCEPTED', 'EN_ROUTE', 'ARRIVED', 'POB']

const isText = value => typeof value === 'string' && value.trim() !== ''
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPhone = value => typeof value === 'string' && /^\+?[1-9][0-9]{6,14}$/.test(value)
const isDegrees = (value, most) => typeof value === 'number' && Math.abs(value) <= most
const isAddress = value => isObject(value) && isText(value.address) && isObject(value.location) &&
  isDegrees(value.location.longitude, 180) && isDegrees(value.location.latitude, 90)
const isDay = day => new Date(day).toISOString().startsWith(day) // Date takes 31 November for 1 December
const isDate = value => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && isDay(value.slice(0, 10)) &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(value)

function need (right, what) {
  if (!right) throw new Refused(400, what)
}

// Dispatch keeps users and journeys in memory. Its methods take the body of a call
// and return the body of the answer.
export class Dispatch {
  users = new Map() // by phone number, digits only
  journeys = new Map() // by journeyId

  config () {
    return { status: 'ok', eta: { value: 8, unit: 'minutes' }, data: { features: ['voice'] } }
  }

  user ({ phoneNumber }) {
    need(isPhone(phoneNumber), 'phoneNumber is not an E.164 number')
    const user = this.userOf(phoneNumber)
    const active = [...this.journeys.values()].filter(one => one.user === user && !over.includes(one.status))
    return {
      ...user,
      status: 'ENABLED',
      data: { features: ['voice'], options: ['vehicle', 'eta', 'driverName', 'comingNow', 'cancel'], skipDropOff: false },
      activeBookings: active.map(shown)
    }
  }

  book (request) {
    need(isText(request.name), 'name is missing')
    need(isPhone(request.phoneNumber), 'phoneNumber is not an E.164 number')
    need(isAddress(request.pickup), 'pickup is not an address with a location')
    need(Array.isArray(request.dropoffs) && request.dropoffs.length > 0 && request.dropoffs.every(isAddress),
      'dropoffs are not one address or more')
    need(isDate(request.pickupTime), 'pickupTime is not an ISO 8601 date-time with a zone')
    need(request.journeyId == null || isText(request.journeyId), 'journeyId is not a string')
    const journey = request.journeyId == null ? this.created(request) : this.edited(request)
    journey.date = request.pickupTime
    journey.pickup = request.pickup
    journey.dropoffs = request.dropoffs
    journey.passenger = { name: request.name, phoneNumber: request.phoneNumber.replace('+', '') }
    return shown(journey)
  }

  cancel (request) {
    const journey = this.found(request)
    if (journey.status === 'COMPLETE') throw new Refused(409, 'this journey is over')
    journey.status = 'CANCELLED'
    return shown(journey)
  }

  status (request) {
    return shown(this.found(request))
  }

  // advance is no part of the interface: it lets a test move a journey on.
  advance ({ journeyId, status }) {
    const journey = this.journeys.get(journeyId)
    if (!journey || over.includes(journey.status)) throw new Refused(409, 'no such journey, or it is over')
    journey.status = status
    return {}
  }

  // booked counts the journeys that have not ended.
  booked () {
    return [...this.journeys.values()].filter(journey => !over.includes(journey.status)).length
  }

  // userOf knows every number; the name comes with the first booking.
  userOf (phoneNumber, name) {
    const digits = phoneNumber.replace('+', '')
    if (!this.users.has(digits)) {
      this.users.set(digits, { userId: `u${this.users.size + 1}`, phoneNumber: digits, name: name ?? 'Guest' })
    }
    return this.users.get(digits)
  }

  // created files a booking under the end user, who may not be the passenger. A
  // driver is sent at once when the pickup is soon.
  created (request) {
    const known = [...this.users.values()].find(user => user.userId === request.userId)
    const soon = Date.parse(request.pickupTime) < Date.now() + 15 * 60_000
    const journey = {
      journeyId: `j${this.journeys.size + 1}`,
      user: known ?? this.userOf(request.phoneNumber, request.name),
      status: soon ? 'ACCEPTED' : 'WAITING',
      price: { value: 12.5, currency: 'GBP', type: 'ESTIMATED' }
    }
    this.journeys.set(journey.journeyId, journey)
    return journey
  }

  edited (request) {
    const userId = request.userId ?? this.userOf(request.phoneNumber, request.name).userId
    const journey = this.found({ userId, journeyId: request.journeyId })
    if (!['WAITING', 'ACCEPTED'].includes(journey.status)) throw new Refused(409, `this journey is ${journey.status}`)
    return journey
  }

  found ({ userId, journeyId }) {
    need(isText(userId) && isText(journeyId), 'userId and journeyId are strings')
    const journey = this.journeys.get(journeyId)
    if (journey?.user.userId !== userId) throw new Refused(404, 'no such journey')
    return journey
  }
}

// shown is a journey as the interface describes it, with a driver once there is one.
function shown ({ user, ...journey }) {
  if (!underWay.includes(journey.status)) return journey
  const near = { longitude: journey.pickup.location.longitude, latitude: journey.pickup.location.latitude }
  return { ...journey, driver, vehicle, location: near, eta: { value: 4, unit: 'minutes' } }
}
