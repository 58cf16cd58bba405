/** The staff: signing in, the list of people, sessions, and tokens of other programs. */
import { type Static, Type } from 'typebox'
import { STAFF_ROLES } from '../operations.ts'
import { Id, Nullable, Shape, Time } from './terms.ts'

const Role = Type.Enum([...STAFF_ROLES])
/** A name on one line; shorter than other words, because every entry of the person has it. */
const Name = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[^\\x00-\\x1f\\x7f:]*[^\\x00-\\x20\\x7f:][^\\x00-\\x1f\\x7f:]*$',
})
const Secret = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\x00-\\x1f\\x7f]+$' })
const Actor = Type.Optional(
  Type.String({ maxLength: 80, pattern: '^[^\\x00-\\x1f\\x7f]+$', description: 'With the admin token: who uses it' }),
)

export const SessionPerson = Shape('SessionPerson', { id: Type.String(), name: Type.String(), role: Role })

/** The token is shown here and nowhere else. */
export const NewSession = Shape('NewSession', {
  session: Type.String(),
  token: Type.String({ description: 'Bearer token of the session' }),
  expires_at: Time,
  person: SessionPerson,
})
export type NewSession = Static<typeof NewSession>

export const OwnSession = Shape('OwnSession', {
  way: Type.Enum(['admin_token', 'session', 'tablet', 'api_token']),
  role: Role,
  name: Nullable(Type.String(), 'with the admin token'),
  person: Nullable(Type.String(), 'where nobody in person is signed in'),
  session: Nullable(Type.String(), 'where it is no session'),
  people: Type.Boolean({
    description: 'True if the event has people who sign in: then the admin token is for emergencies',
  }),
})
export type OwnSession = Static<typeof OwnSession>

export const ConfirmRequest = Shape('ConfirmRequest', { secret: Secret })
export const OwnSecretRequest = Shape('OwnSecretRequest', { current: Secret, secret: Secret })

export const StaffSession = Shape('StaffSession', {
  session: Type.String(),
  person: Type.String(),
  name: Type.String(),
  device: Nullable(
    Type.String({ description: 'Name of the paired tablet, or of the scanner' }),
    'for a browser that is not paired',
  ),
  address: Type.String(),
  opened_at: Time,
  used_at: Time,
  expires_at: Time,
})
export const StaffPerson = Shape('StaffPerson', {
  id: Type.String(),
  name: Type.String(),
  role: Role,
  has_secret: Type.Boolean({ description: 'Has a PIN or a password' }),
  added_at: Time,
})
export type StaffPerson = Static<typeof StaffPerson>
export const StaffList = Shape('StaffList', {
  people: Type.Array(StaffPerson),
  sessions: Type.Array(StaffSession, { description: 'Open at this box, oldest first' }),
})
export type StaffList = Static<typeof StaffList>

export const AddPersonRequest = Shape('AddPersonRequest', { name: Name, role: Role, secret: Secret, actor: Actor })
export const ChangePersonRequest = Shape('ChangePersonRequest', {
  name: Type.Optional(Name),
  role: Type.Optional(Role),
  secret: Type.Optional(Secret),
  actor: Actor,
})
export const ByRequest = Shape('ByRequest', { actor: Actor })

export const TabletInviteRequest = Shape('TabletInviteRequest', {
  device: Type.String({ ...Name, description: 'Name of the tablet or phone in lists' }),
  actor: Actor,
})
/** The link is shown here and nowhere else. */
export const TabletInvite = Shape('TabletInvite', {
  tablet: Type.String({ description: 'Id of the session that it will open' }),
  link: Type.String({ description: 'Opens the dashboard on the tablet, and pairs it; good once' }),
  expires_at: Time,
  trust_page: Type.Union([Type.String(), Type.Null()], {
    description:
      'Page of plain HTTP with the steps until the tablet trusts the box, to be opened first; nothing of the link is in it. null where every device trusts the certificate',
  }),
})
export type TabletInvite = Static<typeof TabletInvite>
export const PairTabletRequest = Shape('PairTabletRequest', {
  code: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', description: 'Of the link: `#pair=CODE`' }),
  public_key: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,200}$',
    description: 'EC P-256, SubjectPublicKeyInfo in DER, base64url: signs every request of the session',
  }),
})

export const SignOnRequest = Shape('SignOnRequest', { name: Name, secret: Secret })
/** The person who is signed on at a scanner. */
export const ScannerSignOn = Shape('ScannerSignOn', {
  session: Type.String({ description: 'Goes with each scan that the scanner admits alone, as `signed_on`' }),
  name: Type.String(),
  expires_at: Time,
})
export type ScannerSignOn = Static<typeof ScannerSignOn>

export const MOST_TOKEN_DAYS = 366
export const ApiTokenRequest = Shape('ApiTokenRequest', {
  name: Name,
  role: Role,
  operations: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 200,
      description:
        'operationIds to which it is limited. Operations that cannot be undone work only where they are named',
    }),
  ),
  days: Type.Integer({ minimum: 1, maximum: MOST_TOKEN_DAYS, description: 'Until it expires' }),
  actor: Actor,
})
export const ApiToken = Shape('ApiToken', {
  id: Type.String(),
  name: Type.String(),
  role: Role,
  operations: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'null: all of its role' }),
  made_at: Time,
  expires_at: Time,
  revoked_at: Nullable(Time),
  last_used_at: Nullable(Time, 'where this box has not seen it'),
  last_address: Nullable(Type.String()),
})
export type ApiToken = Static<typeof ApiToken>
export const ApiTokens = Shape('ApiTokens', { tokens: Type.Array(ApiToken) })
/** The token is shown here and nowhere else. */
export const NewApiToken = Shape('NewApiToken', { token: Type.String(), api_token: ApiToken })
export const NewAdminToken = Shape('NewAdminToken', { token: Type.String({ description: 'Shown once' }) })
