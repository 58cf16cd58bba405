/** Who this scanner is to its box: what pairing has left behind. */
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'

export interface Identity {
  deviceId: string
  deviceName: string
  token: string
  /** PEM. */
  certificate: string
  /** Unix ms. */
  certificateExpiresAt: number
  /** The private half signs, and cannot be read out of this browser. */
  key: CryptoKey
  baseUrl: string
  eventId: string
  eventName: string
  /** C2SP verifier key: pinned when the scanner was paired, and never taken from the box again. */
  verifierKey: string
  checkpoints: readonly Checkpoint[]
  supervisor: boolean
}
