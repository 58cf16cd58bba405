/** The settings of signing in with the organiser's OpenID provider, read together: one without the others is a mistake. */
import { STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'
import type { Settings } from './settings.ts'

export interface ProviderSettings {
  /** As the provider writes it, https. */
  readonly issuer: string
  readonly clientId: string
  /** File that only the box's user may read. */
  readonly secretFile: string
  /** CA of the provider's certificate, a PEM file; undefined: the public CAs. */
  readonly ca: string | undefined
  /** Claim with the person's groups: a text, or a list of them. */
  readonly groupsClaim: string
  /** Role of each group. */
  readonly roles: ReadonlyMap<string, StaffRole>
  readonly scope: string
  /** Whether the provider asks for the password each time, or only which account. */
  readonly prompt: 'login' | 'select_account'
}

export type ProviderSetting =
  | 'GATEHOUSE_OIDC_ISSUER'
  | 'GATEHOUSE_OIDC_CLIENT_ID'
  | 'GATEHOUSE_OIDC_SECRET_FILE'
  | 'GATEHOUSE_OIDC_CA'
  | 'GATEHOUSE_OIDC_GROUPS_CLAIM'
  | 'GATEHOUSE_OIDC_ROLES'
  | 'GATEHOUSE_OIDC_SCOPE'
  | 'GATEHOUSE_OIDC_PROMPT'

export const PROVIDER_ENVIRONMENT: { readonly [name in ProviderSetting]: string } = {
  GATEHOUSE_OIDC_ISSUER:
    "issuer of the organiser's OpenID provider, https://...: people sign in with it (default: none)",
  GATEHOUSE_OIDC_CLIENT_ID: 'id of this box at the provider',
  GATEHOUSE_OIDC_SECRET_FILE: "file with the box's secret at the provider, readable by the box's user alone",
  GATEHOUSE_OIDC_CA: "PEM file with the CA of the provider's certificate (default: the public CAs)",
  GATEHOUSE_OIDC_GROUPS_CLAIM: 'claim that holds the groups of a person (default: groups)',
  GATEHOUSE_OIDC_ROLES:
    'role of each group, as JSON: {"gate crew": "operator"}; roles are viewer, desk, operator and admin',
  GATEHOUSE_OIDC_SCOPE: 'scopes to ask for (default: openid profile)',
  GATEHOUSE_OIDC_PROMPT:
    'login: the provider asks for the password at each sign-in; select_account: for the account (default: login)',
}

const NEEDED = ['GATEHOUSE_OIDC_CLIENT_ID', 'GATEHOUSE_OIDC_SECRET_FILE', 'GATEHOUSE_OIDC_ROLES'] as const

/** Undefined where people do not sign in with a provider. Mistakes are added to those of `settings`. */
export function readProvider(settings: Settings<ProviderSetting>): ProviderSettings | undefined {
  const { text, path, oneOf, mistakes } = settings
  const issuer = text('GATEHOUSE_OIDC_ISSUER')
  const others = Object.keys(PROVIDER_ENVIRONMENT).filter((name) => text(name as ProviderSetting) !== undefined)
  if (issuer === undefined) {
    if (others.length > 0) mistakes.push(`${others.join(', ')} needs GATEHOUSE_OIDC_ISSUER: set it, or remove the rest`)
    return undefined
  }
  if (!isIssuer(issuer))
    mistakes.push(`GATEHOUSE_OIDC_ISSUER is "${issuer}", not an issuer such as https://login.example.org/realms/event`)
  for (const name of NEEDED) {
    if (text(name) === undefined) mistakes.push(`GATEHOUSE_OIDC_ISSUER needs ${name} too`)
  }
  const scope = text('GATEHOUSE_OIDC_SCOPE') ?? 'openid profile'
  if (!isScope(scope))
    mistakes.push(`GATEHOUSE_OIDC_SCOPE is "${scope}", not scopes with one space between, openid among them`)
  return {
    issuer,
    clientId: text('GATEHOUSE_OIDC_CLIENT_ID') ?? '',
    secretFile: path('GATEHOUSE_OIDC_SECRET_FILE') ?? '',
    ca: path('GATEHOUSE_OIDC_CA'),
    groupsClaim: text('GATEHOUSE_OIDC_GROUPS_CLAIM') ?? 'groups',
    roles: readRoles(text('GATEHOUSE_OIDC_ROLES'), mistakes),
    scope,
    prompt: oneOf('GATEHOUSE_OIDC_PROMPT', ['login', 'select_account'], 'login'),
  }
}

/** No query and no fragment (OpenID Connect Discovery 1.0, 2), and nothing that is not read as it is written. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  return (
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#\s]/.test(text) &&
    (url.href === text || url.href === `${text}/`)
  )
}

/** RFC 6749, 3.3; without `openid` the provider names nobody. */
export function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) && text.split(' ').includes('openid')
}

/** Undefined for anything that is not an object of groups with roles. */
export function rolesOf(text: string): Map<string, StaffRole> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const rows = Object.entries(value).map(([group, role]) => [group, STAFF_ROLES.find((one) => one === role)] as const)
  if (rows.length === 0 || rows.some(([group, role]) => group === '' || role === undefined)) return undefined
  return new Map(rows as (readonly [string, StaffRole])[])
}

function readRoles(text: string | undefined, mistakes: string[]): ReadonlyMap<string, StaffRole> {
  if (text === undefined) return new Map()
  const roles = rolesOf(text)
  if (!roles)
    mistakes.push(
      `GATEHOUSE_OIDC_ROLES is not JSON such as {"gate crew": "operator"} with the roles ${STAFF_ROLES.join(', ')}`,
    )
  return roles ?? new Map()
}
