/** Persons, sessions and tokens: part of the second stage, because the views show who failed to sign in. */
import { AdminToken } from '../staff/admin-token.ts'
import { ApiTokens } from '../staff/api-tokens.ts'
import { Attempts } from '../staff/attempts.ts'
import { Provider } from '../staff/oidc/provider.ts'
import { ProviderSignIn, type ProviderSignInDeps } from '../staff/oidc/sign-in.ts'
import { Ceremonies } from '../staff/passkeys/ceremonies.ts'
import { Passkeys } from '../staff/passkeys/passkeys.ts'
import { People } from '../staff/people.ts'
import { Secrets } from '../staff/secret.ts'
import { Sessions } from '../staff/sessions.ts'
import { SignIn } from '../staff/sign-in.ts'
import { SignOns } from '../staff/sign-ons.ts'
import { TabletInvites } from '../staff/tablet-invites.ts'
import type { Start, Storage } from './storage.ts'

export function openStaff(given: Start & Storage) {
  const { ledger, identity, event, now, monotonic, adminToken: token } = given
  const secrets = new Secrets(identity.signingSeed, event.id)
  const people = new People({ ledger, secrets, now })
  const sessions = new Sessions({ ledger, people, now })
  const apiTokens = new ApiTokens({ ledger, now })
  const attempts = new Attempts({ monotonic, now })
  const adminToken = new AdminToken({ ledger, token, hasPeople: () => people.list().length > 0, now })
  const signIn = new SignIn({ people, sessions, apiTokens, adminToken, secrets, attempts })
  const tabletInvites = new TabletInvites({ ledger, people, now, endsAt: Date.parse(event.ends_at) })
  const passkeys = new Passkeys({ ledger, now })
  passkeys.onRemoved((id) => sessions.endOfPasskey(id))
  const ceremonies = new Ceremonies({ passkeys, people, attempts, monotonic })
  const providerSignIn = openProvider(given, { people, sessions, attempts })
  const signOns = new SignOns({ event, sessions })
  const ways = { signIn, signOns, tabletInvites, passkeys, ceremonies, providerSignIn }
  return { people, sessions, apiTokens, attempts, adminToken, ...ways }
}

/** Nothing is asked of the provider here: the box opens without it. @throws Error for a secret or a CA that cannot be read */
function openProvider(
  { config, lifetime, identity, event, logger, now, monotonic }: Start & Storage,
  staff: Pick<ProviderSignInDeps, 'people' | 'sessions' | 'attempts'>,
): ProviderSignIn | undefined {
  if (!config.provider) return undefined
  const provider = lifetime.use(new Provider(config.provider, { now, monotonic }))
  const own = { provider, seed: identity.signingSeed, eventId: event.id }
  return new ProviderSignIn({ ...staff, ...own, logger, now, monotonic })
}
