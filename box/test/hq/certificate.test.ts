/** HQ obtains a publicly trusted certificate for a box, by Debian's pebble: from the box's request, without its key. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { loadAcme } from '../../src/certificate/acme-library.ts'
import { requestFor } from '../../src/certificate/order.ts'
import { readRequest } from '../../src/certificate/request.ts'
import { newKey } from '../../src/certificate/store.ts'
import { AcmeServer, NO_PEBBLE } from '../world/acme-server.ts'
import { DnsHook } from '../world/dns-hook.ts'
import { BoxProcess } from '../world/process-box.ts'
import { cli } from '../world/programs.ts'

const NAME = 'gate.example.org'
const HQ = join(import.meta.dirname, '../../src/hq-main.ts')

describe('a certificate by HQ on behalf of a box', { skip: NO_PEBBLE }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hq-acme-'))
  const at = (name: string) => join(folder, name)
  let server: AcmeServer
  let hook: DnsHook
  before(async () => {
    server = await AcmeServer.open(folder)
    hook = await DnsHook.open(folder, server.issued, { present: (record, value) => server.setTxt(record, value) })
  })
  after(async () => {
    await hook[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** The box: it has no way to change DNS, and no authority to ask. */
  const box = async (...words: string[]) =>
    ended(cli(), ['certificate', ...words], { GATEHOUSE_DATA_DIR: at('box'), GATEHOUSE_CERTIFICATE_NAME: NAME })
  const hq = async (words: readonly string[], more: Record<string, string> = {}) =>
    ended(HQ, ['certificate', ...words], {
      ...{
        HQ_DATA_DIR: at('hq'),
        HQ_ACME_DNS: 'webhook',
        HQ_ACME_DNS_AT: hook.url,
        HQ_ACME_DNS_SECRET: hook.secretFile,
      },
      ...{ HQ_ACME_DNS_SERVER: server.dns, HQ_ACME_DIRECTORY: server.directory, HQ_ACME_CA: server.caFile, ...more },
    })
  const order = (host: string, request: string) => ['--host', host, '--request', request, '--out', at('chain.pem')]
  async function ended(file: string, words: readonly string[], environment: Record<string, string>) {
    await using process_ = new BoxProcess([process.execPath, file, ...words], environment)
    const { code } = await process_.exited()
    return { code, output: process_.output }
  }
  const keyIn = (text: string) => /sha256:[0-9a-f]{64}/.exec(text)?.[0]

  it('goes from the box’s request to the box’s certificate, and the key stays on the box', async () => {
    const asked = await box('request')
    assert.equal(asked.code, 0, asked.output)
    writeFileSync(at('gate.csr'), asked.output)
    const done = await hq(order(NAME, at('gate.csr')))
    assert.equal(done.code, 0, done.output)
    assert.equal(keyIn(done.output), keyIn(asked.output), 'what people compare')
    assert.equal(new X509Certificate(readFileSync(at('chain.pem'))).checkHost(NAME), NAME)
    assert.deepEqual(hook.actions, ['present', 'remove'])
    const key = readFileSync(at('box/certificate/request-key.pem'), 'utf8')
    for (const name of readdirSync(at('hq'), { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.pem'),
    ))
      assert.notEqual(readFileSync(join(at('hq'), name), 'utf8'), key, name)

    // A second look at the request does not cost the answer to the first.
    assert.equal(keyIn((await box('request')).output), keyIn(asked.output))
    const taken = await box('import', '--chain', at('chain.pem'))
    assert.match(
      `${taken.code} ${taken.output}`,
      /^0 gate\.example\.org: by .*, until .*\nNobody renews it: import the next one\./,
    )
    assert.equal(JSON.parse(readFileSync(at('box/certificate/certificate.json'), 'utf8')).key, key)
    assert.ok(!existsSync(at('box/certificate/request-key.pem')))
    // The next one is for a new key.
    assert.notEqual(keyIn((await box('request')).output), keyIn(asked.output))
    const old = await box('import', '--chain', at('chain.pem'))
    assert.match(`${old.code} ${old.output}`, /^2 .*not for this private key/)
  })

  it('is ordered for the one name that HQ was told, whatever the request asks for', async () => {
    const requests = hook.received.length
    writeFileSync(at('www.csr'), await requestFor('www.example.org', newKey()))
    const other = await hq(order(NAME, at('www.csr')))
    assert.match(
      `${other.code} ${other.output}`,
      /^1 .* asks for www\.example\.org, and not for gate\.example\.org alone/,
    )
    const { crypto } = await loadAcme(undefined)
    const [, both] = await crypto.createCsr({ commonName: NAME, altNames: [NAME, 'www.example.org'] }, newKey())
    writeFileSync(at('both.csr'), both)
    assert.match(
      (await hq(order(NAME, at('both.csr')))).output,
      / asks for gate\.example\.org, www\.example\.org, and not/,
    )
    // A character of its signature.
    const broken = readFileSync(at('gate.csr'), 'utf8').replace(
      /(.)(.{6}\n-----END)/,
      (_, one, rest) => `${one === 'A' ? 'B' : 'A'}${rest}`,
    )
    for (const [text, said] of [
      ['hello', /^2 .*there is no certificate request in it/],
      [broken, /^2 .*(cannot be read|not signed by its own key)/],
      ['x'.repeat(9000), /^2 .*longer than/],
    ] as const) {
      writeFileSync(at('bad.csr'), text)
      const { code, output } = await hq(order(NAME, at('bad.csr')))
      assert.match(`${code} ${output}`, said)
    }
    assert.equal(hook.received.length, requests, 'nothing was ordered')
  })

  it('says what is missing, and why the authority refused', async () => {
    for (const [words, more, said] of [
      [[], {}, /^2 certificate needs --host NAME, --request FILE and --out FILE/],
      [order('gate', at('gate.csr')), {}, /^2 "gate" is not a host name in a domain/],
      [order(NAME, at('nothing.csr')), {}, /^2 ENOENT/],
      [order(NAME, at('gate.csr')), { HQ_ACME_DNS: '' }, /^2 [\s\S]*HQ_ACME_DNS is missing/],
      [
        order(NAME, at('gate.csr')),
        { HQ_ACME_DIRECTORY: 'https://127.0.0.1:1/dir' },
        /^1 There is no certificate for gate/,
      ],
    ] as const) {
      const { code, output } = await hq(words, more)
      assert.match(`${code} ${output}`, said)
    }
    const none = await ended(cli(), ['certificate', 'import', '--chain', at('chain.pem')], {
      ...{ GATEHOUSE_DATA_DIR: at('other'), GATEHOUSE_CERTIFICATE_NAME: NAME },
    })
    assert.match(`${none.code} ${none.output}`, /^2 No request of this box is under way/)
  })
})

it('a request names its names once, in lower case, and the key that it is signed with', async () => {
  const key = newKey()
  const [one, again] = [
    await readRequest(await requestFor('Gate.Example.org', key)),
    await requestFor('gate.example.org', key),
  ]
  assert.deepEqual(one.names, ['gate.example.org'])
  assert.equal(one.keyFingerprint, (await readRequest(again)).keyFingerprint)
})
