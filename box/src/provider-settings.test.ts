import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isIssuer, type ProviderSetting, readProvider, rolesOf } from './provider-settings.ts'
import { settingsOf } from './settings.ts'

const WHOLE = {
  GATEHOUSE_OIDC_ISSUER: 'https://login.example.org/realms/event',
  GATEHOUSE_OIDC_CLIENT_ID: 'gate',
  GATEHOUSE_OIDC_SECRET_FILE: '/run/secret',
  GATEHOUSE_OIDC_ROLES: '{"gate crew": "operator", "__proto__": "viewer"}',
}

function read(environment: { [name in ProviderSetting]?: string }) {
  const settings = settingsOf<ProviderSetting>(environment)
  return { provider: readProvider(settings), mistakes: settings.mistakes }
}

describe("the settings of the organiser's provider", () => {
  it('are none by default', () => assert.deepEqual(read({}), { provider: undefined, mistakes: [] }))

  it('have defaults for what most providers have alike', () => {
    const { provider, mistakes } = read(WHOLE)
    assert.deepEqual(mistakes, [])
    assert.partialDeepStrictEqual(provider, {
      issuer: 'https://login.example.org/realms/event',
      secretFile: '/run/secret',
      groupsClaim: 'groups',
      scope: 'openid profile',
      prompt: 'login',
    })
    assert.deepEqual(
      [...(provider?.roles ?? [])],
      [
        ['gate crew', 'operator'],
        ['__proto__', 'viewer'],
      ],
    )
  })

  it('go together', () => {
    for (const name of Object.keys(WHOLE) as (keyof typeof WHOLE)[]) {
      const { [name]: _, ...rest } = WHOLE
      assert.match(read(rest).mistakes.join(), new RegExp(name), name)
    }
    const wrong = { GATEHOUSE_OIDC_SCOPE: 'profile', GATEHOUSE_OIDC_PROMPT: 'none' }
    assert.equal(read({ ...WHOLE, ...wrong }).mistakes.length, 2)
  })

  it('take an issuer over TLS alone, as it is written', () => {
    for (const good of ['https://accounts.google.com', 'https://a.example/', 'https://a.example:8443/realms/x'])
      assert.ok(isIssuer(good), good)
    for (const bad of [
      'http://127.0.0.1',
      'https://user@a.example',
      'https://a.example?x',
      'https://a.example#x',
      'https://A.example',
      'https://a.example/../b',
      'a.example',
    ])
      assert.ok(!isIssuer(bad), bad)
  })

  it('take roles that there are, for groups that have a name', () => {
    for (const bad of ['', '[]', '{}', 'null', '{"a": "root"}', '{"": "viewer"}', '{"a": ["viewer"]}', 'x'])
      assert.equal(rolesOf(bad), undefined, bad)
  })
})
