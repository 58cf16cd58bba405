/** The device port as a browser uses it that holds a TLS client certificate, such as one that a crew's handheld was given. */
import { scanOf } from '../box/test/world/scan-of.ts'
import { expect, test } from './gate.ts'

test('a browser with a client certificate scans at the device port, and one without is not let in', async ({
  world,
  watch,
  browse,
}) => {
  const { certificate, key, token } = await world.pairMachine()
  const headers = { authorization: `Bearer ${token}` }
  const shown = { origin: world.deviceOrigin, cert: Buffer.from(certificate), key: Buffer.from(key) }
  // An answer of the box may run nothing, and so send nothing: here it stands for a page of whoever wrote one.
  const page = await browse({ clientCertificates: [shown], extraHTTPHeaders: headers, bypassCSP: true })

  // No app is served there, and no icon: a page of it is whatever the browser makes of JSON.
  watch.expect(/favicon/)
  const incidents = await page.goto(`${world.deviceOrigin}/v1/incidents`)
  expect(incidents?.status()).toBe(200)
  const scan = (body: object) =>
    page.evaluate(async (text) => {
      const answer = await fetch('/v1/scan', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      })
      return { status: answer.status, body: await answer.json() }
    }, JSON.stringify(body))
  const first = await scan(scanOf('DAY-1', Date.now(), { checkpoint: 'north-in' }))
  expect(first).toMatchObject({ status: 200, body: { verdict: 'ADMIT', tier_name: 'Day ticket' } })
  const second = await scan(scanOf('DAY-1', Date.now(), { checkpoint: 'south-in' }))
  expect(second).toMatchObject({ status: 200, body: { verdict: 'ALREADY_USED', evidence: { checkpoint: 'north-in' } } })

  const without = await browse({ extraHTTPHeaders: headers })
  // Under TLS 1.3 the refusal comes after the browser's own last word: it may find the connection closed before it reads why.
  await expect(without.goto(`${world.deviceOrigin}/v1/incidents`)).rejects.toThrow(
    /ERR_(BAD_SSL_CLIENT_AUTH_CERT|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|CONNECTION_(CLOSED|RESET))/,
  )
})
