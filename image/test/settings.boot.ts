/** `gatehouse.toml` full of mistakes, with which the box starts and reports each; and with a correct value for every key. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { zipSync } from 'fflate'
import { Board, eventually, PATIENCE_MS } from './board.ts'
import { Card, SshKey } from './card.ts'
import { Gate } from './gate.ts'
import { ACCESS_POINT_SECTION, CLIENT_SECTION, hallAppears, phonesJoin } from './radio.ts'
import { inTools, work } from './tools.ts'

const DEMO = join(import.meta.dirname, '../../box/demo')

describe('gatehouse.toml', () => {
  const card = new Card()
  const key = new SshKey()
  after(() => {
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })

  test('with mistakes: the box starts all the same, and a laptop can read what is wrong', async () => {
    await card.put(
      'gatehouse.toml',
      '[box]\nname = "north gate"\nevent = "nowhere.zip"\n[wifi]\nmode = "client"\npasword = "secret words"\n',
    )
    await using board = await Board.start(card)
    await board.answers()
    assert.doesNotMatch(board.said, /secret words/)
    assert.equal(await greeting(board.ports.ssh, 20_000), '', 'no key, no ssh')
    // It was written before the box started, but a power cut may come before the card has it: this partition is written through.
    await board.cut()
    const problems = (await card.get('gatehouse-problems.txt')) ?? ''
    for (const said of [/The box is up/, /box\.name/, /box\.event nowhere\.zip/, /wifi\.pasword/, /wifi\.country/])
      assert.match(problems, said)
    assert.doesNotMatch(problems, /secret words/)
    assert.equal(await card.get('admin-token.txt'), undefined, 'nobody asked for it')
  })

  test('corrected: the name, the event, ssh, and the Wi-Fi of the hall', async () => {
    for (const file of ['event.json', 'venue.geojson']) await card.put(file, readFileSync(join(DEMO, file), 'utf8'))
    await card.makeFolder('fair', ['event.json', 'venue.geojson'])
    await card.put('gatehouse.toml', `[box]\nname = "north-gate"\nevent = "fair"\n${CLIENT_SECTION}`)
    await card.put('authorized_keys', key.publicKey)
    await using board = await Board.start(card)
    await board.answers()
    assert.equal((await board.ssh(key, 'hostname')).trim(), 'north-gate')
    assert.match(await greeting(board.ports.ssh, PATIENCE_MS), /^SSH-2\.0-/)
    assert.match(await board.ssh(key, 'cat /run/gatehouse/box.env'), /EVENT_DIR=\/data\/event/)
    assert.equal(((await fetchMeta(board.ports.http)) as { event_id: string }).event_id, 'lantern-quay')
    await eventually(async () => (await board.ssh(key, 'systemctl is-active avahi-daemon || true')).trim() === 'active')
    assert.match(await hallAppears(board, key), /^10\.99\.0\.\d+$/)
    await board.cut()
    assert.match((await card.get('gatehouse-problems.txt')) ?? '', /Nothing is wrong/)
  })

  test('with mistakes in the organiser’s own files: the box starts with what it had, and reports each', async () => {
    const map = JSON.parse(readFileSync(join(DEMO, 'venue.geojson'), 'utf8'))
    for (const { id, properties } of map.features) if (id === 'terrace-lift') properties.to = 'nowhere'
    await card.put('event.json', readFileSync(join(DEMO, 'event.json'), 'utf8'))
    await card.put('venue.geojson', JSON.stringify(map))
    await card.put('tickets.csv', 'Name;Mail\nAna;ana@mail.example\n')
    await card.makeFolder('spoilt', ['event.json', 'venue.geojson', 'tickets.csv'])
    await card.put('chain.pem', 'This is not a certificate.\n')
    await card.put('key.pem', 'This is not a key.\n')
    await card.put(
      'gatehouse.toml',
      '[box]\nname = "north-gate"\nevent = "spoilt"\n[tls]\ncertificate = "chain.pem"\nkey = "key.pem"\n',
    )
    await using board = await Board.start(card)
    await board.answers()
    const env = await board.ssh(key, 'cat /run/gatehouse/box.env')
    assert.match(
      env,
      /DATA_DIR=\/data\/box\/lantern-quay\n.*EVENT_DIR=\/data\/event\n/,
      'the event of the start before',
    )
    assert.doesNotMatch(env, /TLS/)
    assert.equal(await board.ssh(key, 'ls /data/event'), 'event.json\nvenue.geojson\n')
    const page = await (await fetch(`http://127.0.0.1:${board.ports.http}/`)).text()
    await board.cut()
    const problems = (await card.get('gatehouse-problems.txt')) ?? ''
    for (const said of [
      /^ {2}box\.event spoilt has mistakes:$/m,
      /^ {6}venue\.geojson: path "terrace-lift": /m,
      /^ {6}tickets\.csv: The file is of no known shop/m,
      /^ {2}tls chain\.pem does not begin with a certificate in PEM/m,
    ])
      assert.match(problems, said)
    for (const said of ['<strong>box.event</strong>', '<strong>tls</strong>']) assert.ok(page.includes(said), said)
  })

  test('corrected: every other key, and the gate’s own Wi-Fi', async () => {
    const files = ['event.json', 'venue.geojson'].map((file) => [`my event/${file}`, readFileSync(join(DEMO, file))])
    await card.put('fair.zip', zipSync(Object.fromEntries(files)))
    const chain = await certificate('gate.example')
    // The test trusts it, as phones trust a public authority.
    setDefaultCACertificates([...getCACertificates('default'), chain])
    await card.put('chain.pem', chain)
    await card.put('key.pem', readFileSync(join(card.folder, 'key.pem'), 'utf8'))
    await card.put('hq-ca.pem', await certificate('hq.example'))
    await card.put(
      'gatehouse.toml',
      `[box]
name = "harbour"
event = "fair.zip"
public_host = "gate.example"
wallet_over_http = true
show_admin_token = true
[network]
address = "10.0.2.15/24"
gateway = "10.0.2.2"
dns = ["10.0.2.3"]
${ACCESS_POINT_SECTION}
[time]
servers = ["192.0.2.123"]
[tls]
certificate = "chain.pem"
key = "key.pem"
[certificate]
name = "door.example.org"
[hq]
address = "192.0.2.7:7719"
ca = "hq-ca.pem"
[mesh]
invite = "an-invite-of-another-box"
`,
    )
    await card.put('authorized_keys', key.publicKey)
    await using board = await Board.start(card)
    await board.answers()
    const ssh = (command: string) => board.ssh(key, command)
    assert.match(
      (await card.get('gatehouse-problems.txt')) ?? '',
      /^ {2}mesh\.invite is not the invite as the other box printed it/m,
    )
    assert.equal((await ssh("grep -c '^  ' /boot/firmware/gatehouse-problems.txt")).trim(), '1')
    assert.match(
      await ssh('cat /run/gatehouse/box.env'),
      /DATA_DIR=\/data\/box\/lantern-quay\n.*EVENT_DIR=\/data\/event/,
    )
    assert.match(await ssh('ip -4 -o addr show; ip route'), /10\.0\.2\.15\/24[\s\S]*default via 10\.0\.2\.2/)
    assert.match(await ssh('resolvectl dns'), /10\.0\.2\.3/)
    assert.match(await ssh('chronyc -n sources'), /192\.0\.2\.123/)
    const secrets = ['box.env', 'tls/key.pem', 'wifi/access-point.conf'].map((name) => `/run/gatehouse/${name}`)
    assert.equal(
      await ssh(`stat -c '%n %U %a' ${secrets.join(' ')}`),
      secrets.map((path) => `${path} ${path.includes('tls') ? 'gatehouse' : 'root'} 600\n`).join(''),
      'the user of the change feed can read none of them',
    )
    assert.equal(await subjectAt(board.ports.https, 'gate.example'), 'gate.example')
    assert.equal((await fetch(`http://127.0.0.1:${board.ports.http}/wallet/`)).status, 200)

    const gate = await Gate.open(board.ports, (await ssh('head -1 /boot/firmware/admin-token.txt')).trim())
    await gate.asAdmin(board.ports, async (admin) => {
      const invite = await admin.POST('/v1/admin/invite', {
        body: { checkpoints: ['north-in'], expires_in_seconds: 600 },
      })
      assert.match(invite.data?.qr_payload ?? '', /^https:\/\/gate\.example:443\//)
      assert.equal((await admin.GET('/v1/admin/links')).data?.up.peer, '192.0.2.7:7719')
    })

    const said = await phonesJoin(board, key, {
      busybox: join(work, 'busybox/usr/bin/busybox'),
      names: ['harbour.local', 'door.example.org', 'DOOR.Example.org', 'www.door.example.org', 'example.org'],
    })
    assert.match(said, /^lease 10\.88\.0\.\d+ 10\.88\.0\.1 10\.88\.0\.1$/m)
    assert.match(said, /"ok":true/)
    // Without internet: its own name, and that of the public certificate. Nothing else of the organiser's domain is the box's.
    for (const name of ['door\\.example\\.org', 'DOOR\\.Example\\.org'])
      assert.match(said, new RegExp(`^name ${name} 10\\.88\\.0\\.1 \\{"ok":true`, 'm'))
    assert.match(said, /^name harbour\.local 10\.88\.0\.1 /m)
    for (const name of ['www\\.door\\.example\\.org', 'example\\.org'])
      assert.match(said, new RegExp(`^name ${name} - nowhere$`, 'm'))
    assert.match(said, /System clock wrong by/)
    // Phones on it reach the box, and not each other.
    assert.match(said, /^box packets [1-9]\d*$/m)
    assert.match(said, /^other packets 0$/m)
  })

  /** Signed by itself, good for this machine's ports too; the key is beside the card. */
  async function certificate(name: string): Promise<string> {
    const [keyFile, file] = [join(card.folder, 'key.pem'), join(card.folder, 'chain.pem')]
    await inTools(
      ...[
        'openssl',
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '30',
      ],
      ...[
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name},IP:127.0.0.1`,
        '-keyout',
        keyFile,
        '-out',
        file,
      ],
    )
    return readFileSync(file, 'utf8')
  }
})

/** Issuer of the certificate that is presented for this name. */
async function subjectAt(port: number, servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return String(CN)
}

async function fetchMeta(port: number): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/meta`, { signal: AbortSignal.timeout(30_000) })
  return answer.json()
}

/** A server's first bytes to a client; '' when it does not listen, or sends nothing in this time. */
async function greeting(port: number, patienceMs: number): Promise<string> {
  const socket = connectTo(port, '127.0.0.1')
  try {
    const [said] = await once(socket, 'data', { signal: AbortSignal.timeout(patienceMs) })
    return String(said)
  } catch {
    // Reset, or the time was up: the emulator takes the connection before it has asked the board.
    return ''
  } finally {
    socket.destroy()
  }
}
