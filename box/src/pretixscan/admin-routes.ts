/** The admin's part of pretixSCAN: a QR code to pair one (admin tier). */
import { PretixScanInvite, PretixScanInviteRequest } from '@gatehouse/proto/wire/pretixscan.ts'
import QRCode from 'qrcode'
import { by } from '../ca/actor.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { outwardAddresses, reachableHost } from '../http/machine.ts'
import { failures } from '../http/openapi.ts'
import { mintPairing, type PairingDeps, pairingPayload } from './pairing.ts'
import { pairingHost } from './pairing-host.ts'

export interface PretixScanAdminDeps extends PairingDeps {
  pretixScan: { readonly port: number | undefined }
  config: { readonly publicHost: string | undefined }
  /** The public name, while its certificate holds. */
  publicName: () => string | undefined
}

export function pretixScanAdminRoutes(app: App, deps: PretixScanAdminDeps): void {
  app.post('/v1/admin/pretixscan/invite', {
    schema: {
      operationId: 'pretixScanInvite',
      summary: 'Mint the QR code with which one pretixSCAN pairs with this box, single use.',
      body: PretixScanInviteRequest,
      response: { 201: PretixScanInvite, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { name, checkpoints, expires_in_seconds, supervisor = false, mode = 'proxy', actor } = request.body
      const { port } = deps.pretixScan
      if (port === undefined) {
        const message = 'This box serves no pretixSCAN: set GATEHOUSE_PRETIXSCAN_PORT, and start the box again.'
        throw new GatehouseError('conflict', message, { reason: 'no_pretixscan' })
      }
      const { publicHost } = deps.config
      const usual = reachableHost(publicHost)
      const hosts = { publicHost, publicName: deps.publicName(), usual, addresses: outwardAddresses() }
      const url = `https://${pairingHost(mode, hosts)}:${port}`
      const invite = await mintPairing(
        {
          ...{ checkpoints, supervisor, mode, by: by(request, actor) },
          ...(name !== undefined && { name }),
          ...(expires_in_seconds && { seconds: expires_in_seconds }),
        },
        deps,
      )
      const qrPayload = pairingPayload(url, invite)
      return reply.code(201).send({
        ...{ token: invite.code, url, expires_at: iso(invite.expiresAt), qr_payload: qrPayload },
        qr_svg: await QRCode.toString(qrPayload, { type: 'svg', errorCorrectionLevel: 'M' }),
      })
    },
  })
}
