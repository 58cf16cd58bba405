/** Persons, sessions and tokens: part of the second stage, because the views show who failed to sign in. */
import { AdminToken } from '../staff/admin-token.ts'
import { ApiTokens } from '../staff/api-tokens.ts'
import { Attempts } from '../staff/attempts.ts'
import { People } from '../staff/people.ts'
import { Secrets } from '../staff/secret.ts'
import { Sessions } from '../staff/sessions.ts'
import { SignIn } from '../staff/sign-in.ts'
import { TabletInvites } from '../staff/tablet-invites.ts'
import type { Start, Storage } from './storage.ts'

export function openStaff({ ledger, identity, event, now, monotonic, adminToken: token }: Start & Storage) {
  const secrets = new Secrets(identity.signingSeed, event.id)
  const people = new People({ ledger, secrets, now })
  const sessions = new Sessions({ ledger, people, now })
  const apiTokens = new ApiTokens({ ledger, now })
  const attempts = new Attempts({ monotonic, now })
  const adminToken = new AdminToken({ ledger, token, hasPeople: () => people.list().length > 0, now })
  const signIn = new SignIn({ people, sessions, apiTokens, adminToken, secrets, attempts })
  const tabletInvites = new TabletInvites({ ledger, people, now, endsAt: Date.parse(event.ends_at) })
  return { people, sessions, apiTokens, attempts, adminToken, signIn, tabletInvites }
}
