/** Pairing a pretixSCAN with a box (admin tier). What the app itself calls is in `box/docs/pretixscan.md`. */
import { type Static, Type } from 'typebox'
import { InviteRequest } from './admin.ts'
import { Shape, Time } from './terms.ts'

export const PRETIXSCAN_MODES = ['proxy', 'plain'] as const

export const PretixScanInviteRequest = Shape('PretixScanInviteRequest', {
  ...InviteRequest.properties,
  supervisor: Type.Optional(
    Type.Boolean({ description: 'The device may look people up by name, where scanners may at all' }),
  ),
  mode: Type.Optional(
    Type.Enum([...PRETIXSCAN_MODES], {
      description:
        'proxy, when absent: the app asks the box about each code; plain: as with the shop itself, and for iOS',
    }),
  ),
})
export type PretixScanInviteRequest = Static<typeof PretixScanInviteRequest>

export const PretixScanInvite = Shape('PretixScanInvite', {
  token: Type.String({ description: 'Single use; it can be typed into the app' }),
  url: Type.String({ description: 'Address by which the app reaches this box' }),
  expires_at: Time,
  qr_payload: Type.String({ description: 'Text of the QR code that the app expects' }),
  qr_svg: Type.String(),
})
export type PretixScanInvite = Static<typeof PretixScanInvite>
