/** The identity of this scanner at its boxes: the result of pairing. */
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'

export interface Identity {
  deviceId: string
  deviceName: string
  token: string
  /** PEM. */
  certificate: string
  /** Unix ms. */
  certificateExpiresAt: number
  /** The private key, which cannot be exported from this browser. */
  key: CryptoKey
  baseUrl: string
  eventId: string
  eventName: string
  /** C2SP verifier key, pinned at pairing and never taken from the box again. */
  verifierKey: string
  checkpoints: readonly Checkpoint[]
  supervisor: boolean
}
