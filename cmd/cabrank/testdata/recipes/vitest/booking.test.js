// What a platform's tests look like. Put your platform in place of book.
import {expect} from 'vitest'
import {call, test} from './taxis.js'

const caller = '442079460020'

// bookingFor is what your platform would send for a taxi now. It asks the clock of its machine.
async function bookingFor(taxis) {
  const {places} = await call('GET', `${taxis.url}/places`)
  const [pickup, dropoff] = ['station', 'hospital'].map((kind) => {
    const {address, location} = places.find((p) => p.kind === kind)
    return {address, location}
  })
  return {name: 'Hester Vane', phoneNumber: caller, pickup, dropoffs: [dropoff], pickupTime: new Date().toISOString()}
}

function book(taxis, booking, key) {
  return call('POST', `${taxis.url}/book`, booking, key ? {'Idempotency-Key': key} : {})
}

test('the taxi comes', async ({taxis}) => {
  const {journeyId} = await book(taxis, await bookingFor(taxis))
  await taxis.advance({until: {journey: journeyId, status: 'ARRIVED'}})
  expect((await taxis.journeys(caller))[0].status).toBe('ARRIVED')
  await taxis.verify({op: 'book', times: 1})
})

test('a lost answer books one taxi', async ({taxis}) => {
  await taxis.fault('commit-then-drop', 'book')
  const booking = await bookingFor(taxis)
  await expect(book(taxis, booking, 'once')).rejects.toThrow('fetch failed')
  await book(taxis, booking, 'once')
  expect(await taxis.journeys(caller)).toHaveLength(1)
  expect(await taxis.wait({op: 'book'}, 2)).toHaveLength(2)
})

test('a busy office says when to come back', async ({taxis}) => {
  await taxis.fault('status', 'book', {status: 503, retryAfter: '30s'})
  await expect(book(taxis, await bookingFor(taxis))).rejects.toMatchObject({status: 503})
})
