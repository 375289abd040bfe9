// Serves a dispatch system over HTTP and prints the address. PORT chooses the port;
// without it, or with 0, a free one is taken. SIGTERM ends the server, which prints
// how many journeys are still booked.
import http from 'node:http'

// Refused is an answer other than 200.
export class Refused extends Error {
  constructor (code, message, headers = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

// names reads a list of names from the environment and refuses unknown ones, so
// that a misspelt switch is noticed.
export function names (variable, known) {
  const list = (process.env[variable] ?? '').split(',').filter(Boolean)
  for (const name of list) {
    if (!known.includes(name)) throw new Error(`${variable}: ${name} is not one of ${known}`)
  }
  return list
}

// listen answers POST /NAME with operations[NAME](body). booked counts the journeys
// that have not ended.
export function listen (operations, booked) {
  const server = http.createServer(async (request, response) => {
    let code = 200
    let headers = {}
    let reply
    try {
      const operation = operations[request.url.slice(1)]
      if (!operation) throw new Refused(404, 'no such path')
      if (request.method !== 'POST') throw new Refused(405, 'every call is a POST', { Allow: 'POST' })
      reply = operation(await bodyOf(request))
    } catch (error) {
      code = error.code >= 400 ? error.code : 500
      headers = error.headers ?? {}
      reply = { error: error.message }
    }
    response.writeHead(code, { ...headers, 'Content-Type': 'application/json' })
    response.end(JSON.stringify(reply))
  })
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${server.address().port}`))
  process.on('SIGTERM', () => {
    console.log(`still booked: ${booked()}`)
    server.close()
    server.closeAllConnections()
  })
}

async function bodyOf (request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > 1 << 20) throw new Refused(413, 'more than 1 MiB')
    chunks.push(chunk)
  }
  let body
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new Refused(400, 'the body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refused(400, 'the body is not a JSON object')
  }
  return body
}
