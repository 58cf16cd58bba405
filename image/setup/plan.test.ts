import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inviteText } from '../../box/src/ca/box-invite.ts'
import { readConfig } from '../../box/src/config.ts'
import { coded } from '../../proto/said.ts'
import { type Machine, plan, problemsText } from './plan.ts'
import { DEFAULTS, readSettings, type Settings } from './settings.ts'

const machine: Machine = {
  ...{ event: { folder: '/data/event', id: 'fair-26' }, files: new Set(), certificateProblem: undefined },
  ...{ ledgers: new Set(), now: 1_790_000_000_000 },
}
const textOf = (settings: Settings, path: string, more: Partial<Machine> = {}) =>
  plan(settings, { ...machine, ...more }).planned.find((file) => file.path === path)?.text

describe('what the settings become', () => {
  test('nothing set: an address by DHCP, no radio, no ssh', () => {
    const { planned, problems } = plan(DEFAULTS, machine)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      planned.map(({ path }) => path),
      ['/etc/hostname', '/etc/hosts', '/run/gatehouse/box.env', '/run/gatehouse/feed.env'],
    )
    assert.match(
      textOf(DEFAULTS, '/run/gatehouse/box.env') ?? '',
      /^GATEHOUSE_DATA_DIR=\/data\/box\/fair-26\nGATEHOUSE_EVENT_DIR=\/data\/event\n/,
    )
  })

  test('the settings of the box are for root, and the feed gets its folder alone', () => {
    const { planned } = plan(DEFAULTS, machine)
    const of = (name: string) => planned.find(({ path }) => path === `/run/gatehouse/${name}`)
    assert.equal(of('box.env')?.mode, 0o600)
    assert.match(of('box.env')?.text ?? '', /^GATEHOUSE_FEED_GROUP=881$/m)
    assert.equal(of('feed.env')?.text, 'GATEHOUSE_DATA_DIR=/data/box/fair-26\n')
  })

  test('each event has a data folder of its own, and the demo has one', () => {
    const { event: _, ...without } = machine
    assert.match(
      textOf(DEFAULTS, '/run/gatehouse/box.env', { ...without, event: undefined } as never) ?? '',
      /DATA_DIR=\/data\/box\/demo\n(?!GATEHOUSE_EVENT)/,
    )
  })

  test("where tickets are looked up by name is the file's choice, and the box's where it says nothing", () => {
    const env = (settings: Settings) => textOf(settings, '/run/gatehouse/box.env') ?? ''
    assert.match(env({ ...DEFAULTS, lookUp: 'desk' }), /^GATEHOUSE_LOOK_UP=desk$/m)
    assert.doesNotMatch(env(DEFAULTS), /LOOK_UP/)
  })

  test('the port of handhelds with pretixSCAN is open where the file wants them', () => {
    const rule = '/run/gatehouse/nftables.d/pretixscan.nft'
    const wanted = { ...DEFAULTS, pretixScan: true }
    const [, port = ''] =
      /^GATEHOUSE_PRETIXSCAN_PORT=(\d+)$/m.exec(textOf(wanted, '/run/gatehouse/box.env') ?? '') ?? []
    assert.equal(textOf(wanted, rule), `add rule inet gatehouse input tcp dport ${port} accept\n`)
    assert.equal(textOf(DEFAULTS, rule), undefined)
  })

  test('an access point is where phones reach the box', () => {
    const { settings } = readSettings(
      '[wifi]\nmode = "access-point"\nssid = "Gate \\u00e9"\ncountry = "PT"\npassword = "12345678"\naddress = "10.9.8.1/24"',
    )
    assert.match(textOf(settings, '/run/gatehouse/box.env') ?? '', /^GATEHOUSE_PUBLIC_HOST=10\.9\.8\.1$/m)
    assert.match(textOf(settings, '/run/gatehouse/wifi/access-point.conf') ?? '', /^ssid2=4761746520c3a9$/m)
    assert.match(
      textOf(settings, '/run/gatehouse/wifi/dnsmasq.conf') ?? '',
      /^dhcp-range=10\.9\.8\.20,10\.9\.8\.220,12h$/m,
    )
  })

  test('an access point keeps its phones apart: each reaches the box, and none another', () => {
    const { settings } = readSettings(
      '[wifi]\nmode = "access-point"\nssid = "Gate"\ncountry = "PT"\npassword = "12345678"\naddress = "10.9.8.1/24"',
    )
    const hostapd = textOf(settings, '/run/gatehouse/wifi/access-point.conf') ?? ''
    assert.match(hostapd, /^ap_isolate=1$/m)
    assert.equal(hostapd.match(/^ap_isolate=/gm)?.length, 1)
    assert.doesNotMatch(hostapd, /^bridge=/m, 'a bridge would forward between phones again')
    const network = textOf(settings, '/etc/systemd/network/20-wifi.network') ?? ''
    assert.doesNotMatch(network, /^(IPForward|IPv4Forwarding|IPv6Forwarding|IPMasquerade|Bridge)=/m)
  })

  const AP =
    '[wifi]\nmode = "access-point"\nssid = "Gate"\ncountry = "PT"\npassword = "12345678"\naddress = "10.9.8.1/24"\n'

  test('the access point answers for the public name, and for nothing else of its domain', () => {
    const { settings, problems } = readSettings(`${AP}[certificate]\nname = "gate.example.org"`)
    assert.deepEqual(problems, [])
    const dnsmasq = textOf(settings, '/run/gatehouse/wifi/dnsmasq.conf') ?? ''
    assert.match(dnsmasq, /^host-record=gate\.example\.org,10\.9\.8\.1$/m)
    assert.doesNotMatch(dnsmasq, /address=\/gate\.example\.org/)
    assert.match(textOf(settings, '/run/gatehouse/box.env') ?? '', /^GATEHOUSE_CERTIFICATE_NAME=gate\.example\.org$/m)
    assert.doesNotMatch(textOf(readSettings(AP).settings, '/run/gatehouse/wifi/dnsmasq.conf') ?? '', /host-record/)
  })

  test('how the certificate is obtained reaches the box whole, or only the name does', () => {
    const toml = '[certificate]\nname = "gate.example.org"\ndns = "webhook"\ndns_at = "https://dns.example.org/hook"\n'
    const { settings } = readSettings(`${toml}dns_secret = "dns.txt"\ncontact = "crew@example.org"`)
    const env = (more: Partial<Machine> = {}) => textOf(settings, '/run/gatehouse/box.env', more) ?? ''
    assert.match(
      env({ files: new Set(['dns.txt']) }),
      /NAME=gate\.example\.org\nGATEHOUSE_ACME_DNS=webhook\nGATEHOUSE_ACME_DNS_AT=https:\/\/dns\.example\.org\/hook\nGATEHOUSE_ACME_DNS_SECRET=\/run\/gatehouse\/certificate\/dns-secret\nGATEHOUSE_ACME_CONTACT=crew@example\.org$/m,
    )
    assert.doesNotMatch(env(), /ACME/, 'its file is not there')
    assert.equal(plan(settings, machine).problems[0]?.where, 'certificate.dns_secret')
    for (const [text, where] of [
      [toml, 'certificate.dns_secret'],
      ['[certificate]\nname = "gatehouse.local"', 'certificate.name'],
      ['[certificate]\nname = "GATE"', 'certificate.name'],
      ['[certificate]\ndns = "manual"', 'certificate.name'],
      ['[certificate]\nname = "a.example"\ndns = "command"', 'certificate.dns'],
      [`${toml.replace('https', 'http')}dns_secret = "dns.txt"`, 'certificate.dns_at'],
    ] as const) {
      const read = readSettings(text)
      assert.deepEqual(
        read.problems.map((problem) => problem.where),
        [where],
        text,
      )
      assert.doesNotMatch(
        textOf(read.settings, '/run/gatehouse/box.env', { files: new Set(['dns.txt']) }) ?? '',
        /ACME/,
      )
    }
  })

  const OIDC = `[box]
public_host = "gate.example.org"
[oidc]
issuer = "https://login.example.org/realms/event"
client_id = "gate"
secret = "secret.txt"
roles = { "gate crew" = "operator", "$HOME & $(id)" = "viewer", "é" = "admin" }
scope = "openid profile email"
`

  test("the organiser's provider reaches the box and the command line in one form, or not at all", () => {
    const { settings, problems } = readSettings(`${OIDC}ca = "ca.pem"`)
    assert.deepEqual(problems, [])
    const files = new Set(['secret.txt', 'ca.pem'])
    const env = textOf(settings, '/run/gatehouse/box.env', { files }) ?? ''
    // As the command `gatehouse` reads it; systemd takes single quotes in the same way.
    const shell = spawnSync('sh', ['-c', 'set -a; eval "$FILE"; unset FILE; env -0'], { env: { FILE: env } })
    const read = Object.fromEntries(
      shell.stdout
        .toString()
        .split('\0')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const names = Object.keys(read).filter((name) => name.startsWith('GATEHOUSE_'))
    const { provider } = readConfig(Object.fromEntries(names.map((name) => [name, read[name]])))
    assert.partialDeepStrictEqual(provider, {
      issuer: 'https://login.example.org/realms/event',
      clientId: 'gate',
      secretFile: '/run/gatehouse/oidc/secret',
      ca: '/run/gatehouse/oidc/ca.pem',
      scope: 'openid profile email',
      prompt: 'login',
    })
    assert.deepEqual(
      [...(provider?.roles ?? [])],
      [
        ['gate crew', 'operator'],
        ['$HOME & $(id)', 'viewer'],
        ['é', 'admin'],
      ],
    )
    const nameless = plan({ ...settings, publicHost: undefined }, { ...machine, files })
    assert.deepEqual(
      nameless.problems.map((problem) => problem.where),
      ['oidc'],
      'the box would not start',
    )
    for (const [more, where] of [
      [{ files: new Set(['ca.pem']) }, 'oidc.secret'],
      [{ files: new Set(['secret.txt']) }, 'oidc.ca'],
      [{ files, providerProblem: { where: 'oidc.ca', message: 'is none', coded: [] } }, 'oidc.ca'],
    ] as const) {
      const planned = plan(settings, { ...machine, ...more })
      assert.deepEqual(
        planned.problems.map((problem) => problem.where),
        [where],
      )
      assert.doesNotMatch(textOf(settings, '/run/gatehouse/box.env', more) ?? '', /OIDC/)
    }
  })

  test('whatever the section says, the box starts with it', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('webhook', 'acme-dns', 'manual', 'a.example', 'https://a.example/', 'a@b', 'x.pem'),
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('name', 'dns', 'dns_at', 'dns_secret', 'dns_record', 'contact', 'directory', 'ca'),
          word,
        ),
        (keys) => {
          const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
          const { settings } = readSettings(['[certificate]', ...lines].join('\n'))
          const files = new Set(Object.values(keys))
          const env = textOf(settings, '/run/gatehouse/box.env', { files }) ?? ''
          const entries = env
            .split('\n')
            .filter(Boolean)
            .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
          readConfig(Object.fromEntries(entries))
        },
      ),
    )
  })

  test('a file that is named and not there is said, and the box comes up without it', () => {
    const { settings } = readSettings(
      '[tls]\ncertificate = "a.pem"\nkey = "b.pem"\n[hq]\naddress = "hq:1"\nca = "c.pem"',
    )
    const { problems } = plan(settings, machine)
    assert.deepEqual(
      problems.map(({ where }) => where),
      ['tls.certificate', 'hq.ca'],
    )
    assert.doesNotMatch(textOf(settings, '/run/gatehouse/box.env') ?? '', /TLS|HQ/)
    const there = new Set(['a.pem', 'b.pem', 'c.pem'])
    assert.match(
      textOf(settings, '/run/gatehouse/box.env', { files: there }) ?? '',
      /TLS_CERT=.*\nGATEHOUSE_TLS_KEY=.*\nGATEHOUSE_HQ=hq:1/,
    )
  })

  test('an invite of another box brings the event, to where the box may write', () => {
    const settingsOf = (invite: string) => readSettings(`[mesh]\ninvite = ${JSON.stringify(invite)}`).settings
    const fields = { url: 'https://10.0.0.2', fingerprint: `sha256:${'ab'.repeat(32)}`, code: 'c'.repeat(22) }
    const good = inviteText({ ...fields, expiresAt: 1_800_000_000_000, as: 'box', eventId: 'fair-26' })
    const fresh = { event: undefined } as unknown as Partial<Machine>
    const env = textOf(settingsOf(good), '/run/gatehouse/box.env', fresh) ?? ''
    assert.match(env, /^GATEHOUSE_DATA_DIR=\/data\/box\/fair-26\nGATEHOUSE_EVENT_DIR=\/data\/box\/fair-26-event\n/)
    assert.ok(env.includes(`\nGATEHOUSE_MESH_INVITE=${good}\n`))
    assert.match(textOf(settingsOf(good), '/run/gatehouse/box.env') ?? '', /EVENT_DIR=\/data\/event\n/, 'its own')

    const hostile = ['$(reboot)', '`reboot`', "'", '"', ';reboot', '&reboot', '|reboot', '>x'].map((more) =>
      good.replace('10.0.0.2', `10.0.0.2${more}`),
    )
    for (const bad of [
      'gm1-0123456789abcdef',
      good.replace('.box.', '.voter.'),
      good.replace('fair-26', 'expo'),
      ...hostile,
    ]) {
      const { problems } = plan(settingsOf(bad), machine)
      assert.deepEqual(
        problems.map(({ where }) => where),
        ['mesh.invite'],
        bad,
      )
      assert.doesNotMatch(textOf(settingsOf(bad), '/run/gatehouse/box.env') ?? '', /MESH/)
    }
  })

  test('an invite that has run out is said, as long as the box has not come in by it', () => {
    const fields = { url: 'https://10.0.0.2', fingerprint: `sha256:${'ab'.repeat(32)}`, code: 'c'.repeat(22) }
    const text = inviteText({ ...fields, expiresAt: 1_800_000_000_000, as: 'box', eventId: 'fair-26' })
    const { settings } = readSettings(`[mesh]\ninvite = "${text}"`)
    const fresh = { ...machine, event: undefined }
    assert.deepEqual(plan(settings, { ...fresh, now: 1_799_999_999_999 }).problems, [])
    const late = plan(settings, { ...fresh, now: 1_800_000_000_000 })
    assert.match(late.problems[0]?.message ?? '', /^expired at 2027-01-15 08:00 UTC: mint another one/)
    assert.ok(late.joins, 'the clock may be wrong, and the other box knows')
    assert.deepEqual(plan(settings, { ...fresh, now: 1_800_000_000_000, ledgers: new Set(['fair-26']) }).problems, [])
  })

  test('a certificate that cannot be used is said, and left out', () => {
    const { settings } = readSettings('[tls]\ncertificate = "a.pem"\nkey = "b.pem"')
    const certificateProblem = {
      message: 'a.pem is none',
      coded: coded('no_certificate', { file: 'a.pem' }),
    }
    const there = { ...machine, files: new Set(['a.pem', 'b.pem']), certificateProblem }
    const { problems, planned } = plan(settings, there)
    assert.deepEqual(
      problems.map(({ where, message }) => `${where} ${message}`),
      ['tls a.pem is none. Until then, the box shows its own'],
    )
    assert.deepEqual(
      problems.map((problem) => problem.coded?.map(({ code }) => code)),
      [['no_certificate', 'shows_own_certificate']],
    )
    assert.doesNotMatch(planned.find(({ path }) => path.endsWith('box.env'))?.text ?? '', /TLS/)
  })

  test('no setting becomes a line of its own, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (ssid, password, name) => {
        const toml = `[wifi]\nmode = "client"\nssid = ${JSON.stringify(ssid)}\npassword = ${JSON.stringify(password)}\ncountry = "PT"\n[box]\npublic_host = ${JSON.stringify(name)}`
        const { settings } = readSettings(toml)
        const wifi = textOf(settings, '/run/gatehouse/wifi/client.conf')
        if (wifi !== undefined)
          assert.match(
            wifi,
            /^country=PT\nupdate_config=0\nnetwork=\{\n {2}ssid=[0-9a-f]*\n {2}(psk="[\x20-\x7e]{8,63}"|key_mgmt=NONE)\n\}\n$/,
          )
        for (const line of (textOf(settings, '/run/gatehouse/box.env') ?? '').trimEnd().split('\n'))
          assert.match(line, /^GATEHOUSE_[A-Z_]+=[\w./:-]*$/)
      }),
    )
  })

  test('what is wrong is said beside the file', () => {
    assert.match(
      problemsText([{ where: 'wifi.mode', message: 'is wrong' }], 'As read.'),
      /The box is up[\s\S]*wifi\.mode is wrong/,
    )
    assert.match(problemsText([], 'As read.'), /Nothing is wrong/)
  })
})
