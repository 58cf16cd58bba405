import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SAID } from '../../proto/said.ts'
import { DEFAULTS, readSettings } from './settings.ts'
import { KEYS } from './settings-file.ts'

const shipped = readFileSync(new URL('../boot/gatehouse.toml', import.meta.url), 'utf8')

describe('gatehouse.toml', () => {
  test('as it comes, it changes nothing; every key is named in it, and each example is right', () => {
    assert.deepEqual(readSettings(shipped), { settings: DEFAULTS, problems: [] })
    for (const [section, keys] of Object.entries(KEYS))
      for (const key of keys) assert.match(shipped, new RegExp(`^# ${key} = `, 'm'), `${section}.${key}`)
    const uncommented = shipped
      .replaceAll(/^# (\w+ = )/gm, '$1')
      .replace('invite = ""', 'invite = "gm1-0123456789abcdef"')
    const { settings, problems } = readSettings(uncommented)
    assert.deepEqual(problems, [])
    assert.equal(settings.wifi.mode, 'access-point')
    assert.deepEqual(settings.wired, { address: '192.168.1.10/24', gateway: '192.168.1.1', dns: ['192.168.1.1'] })
    assert.deepEqual(settings.hq, { address: 'hq.example:7719', ca: 'hq-ca.pem' })
    assert.deepEqual(settings.oidc, {
      issuer: 'https://login.example.org/realms/event',
      clientId: 'gatehouse',
      secret: 'oidc-secret.txt',
      roles: '{"gate crew":"operator","gate admins":"admin"}',
      groupsClaim: 'groups',
      scope: 'openid profile',
      prompt: 'login',
      ca: 'login-ca.pem',
    })
  })

  test('as Windows saves it', () => {
    const { settings, problems } = readSettings('﻿[box]\r\nname = "north"\r\n')
    assert.deepEqual([settings.name, problems], ['north', []])
  })

  test('each mistake is said where it is, and the rest holds', () => {
    for (const [toml, where, said] of [
      ['[box]\nname = "north gate"', 'box.name', /host name/],
      ['[box]\nname = 5', 'box.name', /host name/],
      ['[box]\nevent = "../../etc"', 'box.event', /on this partition/],
      ['[box]\nshow_admin_token = "yes"', 'box.show_admin_token', /true or false/],
      ['[box]\nlook_up = "everybody"', 'box.look_up', /"off", "desk" or/],
      ['[box]\nnmae = "x"', 'box.nmae', /name, event/],
      ['name = "north"', 'name', /under \[box\]/],
      ['box = 3', 'box', /section/],
      ['[wlan]\nssid = "x"', 'wlan', /not a section/],
      ['[network]\naddress = "192.168.1.10"', 'network.address', /prefix/],
      ['[network]\ngateway = "192.168.1.1"', 'network.address', /missing/],
      ['[wifi]\nmode = "ap"', 'wifi.mode', /access-point/],
      ['[wifi]\nssid = "x"', 'wifi.mode', /missing/],
      ['[wifi]\nmode = "client"\nssid = "x"', 'wifi.country', /missing/],
      ['[wifi]\nmode = "client"\nssid = "x"\ncountry = "PT"\npassword = "short"', 'wifi.password', /8 to 63/],
      ['[wifi]\nmode = "access-point"\nssid = "x"\ncountry = "PT"', 'wifi.password', /missing/],
      [
        '[wifi]\nmode = "access-point"\nssid = "x"\ncountry = "PT"\npassword = "12345678"\nchannel = 14',
        'wifi.channel',
        /1 to 13/,
      ],
      ['[tls]\nkey = "key.pem"', 'tls.certificate', /missing/],
      ['[hq]\naddress = "hq.example"\nca = "ca.pem"', 'hq.address', /host:port/],
      ['[time]\nservers = ["a b"]', 'time.servers', /host names/],
      ['[box\nname = "x"', 'line 1', /Nothing of the file/],
      ['[box]\nname = "x"\nname = "y"', 'line 3', /Nothing of the file/],
    ] as const) {
      const { settings, problems } = readSettings(toml)
      assert.ok(
        problems.some((problem) => problem.where === where && said.test(problem.message)),
        `${toml}: ${JSON.stringify(problems)}`,
      )
      assert.equal(settings.name, DEFAULTS.name)
      assert.notEqual(
        settings.wifi.mode,
        'client',
        'a network that was meant to be closed is not joined as an open one',
      )
    }
  })

  const OIDC = {
    issuer: '"https://login.example.org"',
    client_id: '"gate"',
    secret: '"s.txt"',
    roles: '{ "crew" = "viewer" }',
  }
  const oidc = (more: Record<string, string>) =>
    ['[oidc]', ...Object.entries({ ...OIDC, ...more }).map(([key, value]) => `${key} = ${value}`)].join('\n')

  test("the organiser's provider is there whole, or not at all, and each wrong key is said", () => {
    assert.deepEqual(readSettings(oidc({})).problems, [])
    assert.partialDeepStrictEqual(readSettings(oidc({})).settings.oidc, {
      clientId: 'gate',
      roles: '{"crew":"viewer"}',
    })
    for (const [key, value, said] of [
      ['issuer', '"http://login.example.org"', /issuer/],
      ['issuer', '"https://login.example.org/$HOME"', /issuer/],
      ['issuer', '""', /missing/],
      ['client_id', '"two words"', /id of the client/],
      ['client_id', '""', /missing/],
      ['secret', '"../etc/passwd"', /on this partition/],
      ['secret', '""', /missing/],
      ['roles', '{ "crew" = "root" }', /viewer, desk, operator and admin/],
      ['roles', '{}', /"group" = "role"/],
      ['roles', '"crew"', /"group" = "role"/],
      ['roles', '[]', /"group" = "role"/],
      ['roles', '{ "it\'s" = "viewer" }', /quotes/],
      ['roles', '{ "a\\\\b" = "viewer" }', /backslashes/],
      ['groups_claim', '"my groups"', /claim/],
      ['scope', '"profile"', /openid/],
      ['scope', '"openid  profile"', /one space/],
      ['prompt', '"none"', /select_account/],
      ['ca', '"a/b.pem"', /PEM file/],
    ] as const) {
      const { settings, problems } = readSettings(oidc({ [key]: value }))
      assert.deepEqual(
        problems.map(({ where }) => where),
        [`oidc.${key}`],
        `${key} = ${value}`,
      )
      assert.match(problems[0]?.message ?? '', said)
      assert.equal(settings.oidc, undefined, 'half of it would keep the box from starting')
    }
    assert.deepEqual(
      readSettings('[oidc]\nscope = "openid"').problems.map(({ where }) => where),
      ['oidc.issuer', 'oidc.client_id', 'oidc.secret', 'oidc.roles'],
    )
  })

  test('a mistake has codes for apps: that a key is missing, and what it is for', () => {
    const codesOf = (toml: string) => readSettings(toml).problems.flatMap(({ coded }) => coded)
    assert.deepEqual(codesOf('[tls]\nkey = "key.pem"'), [
      { code: 'missing' },
      { code: 'goes_with', values: { key: 'key' } },
    ])
    assert.deepEqual(codesOf('[wifi]\nmode = "ap"'), [
      { code: 'one_of', values: { known: 'off, client, access-point' } },
    ])
    assert.deepEqual(codesOf('name = "north"'), [{ code: 'stands_under', values: { section: 'box' } }])
    assert.deepEqual(codesOf('[box]\nname = "x"\nname = "y"')[0]?.code, 'not_toml')
  })

  test('anything gives settings, and no problem repeats what may be a password', () => {
    const key = fc.constantFrom(...Object.values(KEYS).flat())
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant([]), fc.constant({}))
    const section = fc.constantFrom(...Object.keys(KEYS))
    const toml = fc.dictionary(section, fc.dictionary(key, value)).map((table) =>
      Object.entries(table)
        .map(
          ([name, keys]) =>
            `[${name}]\n${Object.entries(keys)
              .map(([k, v]) => `${k} = ${JSON.stringify(v)}`)
              .join('\n')}`,
        )
        .join('\n'),
    )
    fc.assert(
      fc.property(fc.oneof(toml, fc.string()), (text) => {
        const { settings, problems } = readSettings(text)
        assert.ok(settings.name.length > 0)
        for (const { where, message, coded } of problems) {
          assert.doesNotMatch(where + message, /[^\x20-\x7e]/)
          assert.ok(coded.length > 0, message)
          for (const { code, values = {} } of coded) assert.deepEqual(Object.keys(values), SAID.setting[code])
        }
      }),
    )
    const secret = 'correct horse battery staple, and much more than sixty-three characters of it'
    const { problems } = readSettings(`[wifi]\nmode = "client"\nssid = "x"\ncountry = "PT"\npassword = "${secret}"`)
    assert.ok(problems.length > 0)
    assert.doesNotMatch(JSON.stringify(problems), /horse/)
  })
})
