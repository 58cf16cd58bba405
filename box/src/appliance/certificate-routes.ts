/** The certificate for the public name, as the control room shows it, and an attempt that somebody asks for. */
import { PublicCertificate as PublicCertificateAnswer } from '@gatehouse/proto/wire/certificate.ts'
import type { PublicCertificate, PublicCertificateState } from '../certificate/public-certificate.ts'
import { renewAt } from '../certificate/schedule.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'

export interface CertificateRouteDeps {
  /** Undefined: the settings give the box no public name. */
  publicCertificate: () => PublicCertificate | undefined
  event: { ends_at: string }
  /** Unix ms. */
  now: () => number
}

export function certificateRoutes(app: App, { publicCertificate, event, now }: CertificateRouteDeps): void {
  const answer = () => answerOf(publicCertificate()?.state, now(), Date.parse(event.ends_at))
  app.get('/v1/admin/certificate', {
    schema: {
      operationId: 'certificate',
      summary: 'The certificate for the public name: until when it holds, and what its renewal waits for.',
      response: { 200: PublicCertificateAnswer },
    },
    handler: async () => answer(),
  })

  app.post('/v1/admin/certificate/obtain', {
    schema: {
      operationId: 'obtainCertificate',
      summary: 'Begin to obtain a certificate now, before the next attempt is due. One attempt runs at a time.',
      response: { 200: PublicCertificateAnswer, ...failures('conflict') },
    },
    handler: async () => {
      const named = publicCertificate()
      if (!named?.state.acme)
        throw new GatehouseError(
          'conflict',
          'The settings do not say how the certificate is obtained: see certificates.md.',
          { reason: 'no_method' },
        )
      // The answer is its first step; the reason of a failure is in the state.
      named.obtain().catch(() => {})
      return answer()
    },
  })
}

/** @param now unix ms @param eventEnd unix ms */
export function answerOf(
  state: PublicCertificateState | undefined,
  now: number,
  eventEnd: number,
): PublicCertificateAnswer {
  const { name = null, held, acme, attempts, stage = 'idle' as const, record } = state ?? {}
  const renewed = held && acme ? renewAt(held) : undefined
  const standing = state === undefined ? 'off' : held === undefined ? 'none' : stateOf(held, now)
  return {
    state: standing,
    name,
    not_after: held ? iso(held.notAfter) : null,
    renewed_from: renewed === undefined ? null : iso(renewed),
    issuer: held?.issuer ?? null,
    damaged: state?.isDamaged ?? false,
    outlasts_event: held !== undefined && (held.notAfter > eventEnd || (renewed !== undefined && standing === 'held')),
    failures: attempts?.failures ?? 0,
    problem: attempts?.problem ?? null,
    ...(attempts?.coded && { problem_coded: attempts.coded }),
    next_attempt_at: attempts?.nextAt == null ? null : iso(attempts.nextAt),
    stage,
    record_name: record?.record ?? null,
    record_value: record?.value ?? null,
  }
}

/** Late: a day after its renewal was due, in which a box that has a network has renewed it. */
const LATE_MS = 86_400_000

function stateOf(held: { readonly notBefore: number; readonly notAfter: number }, now: number) {
  if (now >= held.notAfter) return 'expired'
  return now > renewAt(held) + LATE_MS ? 'due' : 'held'
}
