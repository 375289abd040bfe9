// What a platform's tests look like. Put your platform in place of book.
import {expect} from 'vitest'
import {call, test} from './taxis.js'

const caller = '442079460020'

// book books a taxi for now, as your platform would.
async function book(taxis, key) {
  const {places} = await call('GET', `${taxis.url}/places`)
  const [pickup, dropoff] = ['station', 'hospital'].map((kind) => {
    const {address, location} = places.find((p) => p.kind === kind)
    return {address, location}
  })
  const {now} = await taxis.control('GET', '/clock')
  const booking = {name: 'Hester Vane', phoneNumber: caller, pickup, dropoffs: [dropoff], pickupTime: now}
  return call('POST', `${taxis.url}/book`, booking, key ? {'Idempotency-Key': key} : {})
}

test('the taxi comes', async ({taxis}) => {
  const {journeyId} = await book(taxis)
  await taxis.advance({until: {journey: journeyId, status: 'ARRIVED'}})
  expect((await taxis.journeys(caller))[0].status).toBe('ARRIVED')
  await taxis.verify({op: 'book', times: 1})
})

test('a lost answer books one taxi', async ({taxis}) => {
  await taxis.fault('commit-then-drop', 'book')
  await expect(book(taxis, 'once')).rejects.toThrow('fetch failed')
  await book(taxis, 'once')
  expect(await taxis.journeys(caller)).toHaveLength(1)
  expect(await taxis.wait({op: 'book'}, 2)).toHaveLength(2)
})

test('a busy office says when to come back', async ({taxis}) => {
  await taxis.fault('status', 'book', {status: 503, retryAfter: '30s'})
  await expect(book(taxis)).rejects.toMatchObject({status: 503})
})
