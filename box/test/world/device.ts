/** A paired device at one box: what a scanner app does, over mutual TLS and over signed requests. */
import { randomUUID, sign } from 'node:crypto'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { PairedDevice } from '../../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../../src/device/tls-fetch.ts'
import { scanOf } from './scan-of.ts'
import { signedRequest } from './signed-request.ts'

/** A box as a device finds it. */
export interface BoxAddress {
  readonly ports: { readonly device: number }
  /** Of the HTTPS port. */
  readonly baseUrl: string
  /** Unix ms. */
  now(): number
}

export interface TestDevice extends AsyncDisposable {
  readonly paired: PairedDevice
  readonly fetch: TlsFetch
  readonly client: GatehouseClient
  /** The same device as a browser would show itself: on the HTTPS port, every request signed. */
  readonly signed: GatehouseClient
  /** Scans at gate A unless told otherwise. @throws with the error's code and message when there is no verdict */
  scan(payload: string, more?: Partial<ScanRequest>): Promise<Verdict>
}

export function connectDevice(paired: PairedDevice, { ports, baseUrl, now }: BoxAddress): TestDevice {
  const { id, ca, certificate: cert, key, token } = paired
  const fetch = tlsFetch({ ca, cert, key })
  const plain = tlsFetch({ ca })
  const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch })
  const signedFetch = async (request: Request) =>
    plain(
      await signedRequest(request, {
        keyId: id,
        alg: 'ecdsa-p256-sha256',
        created: Math.floor(now() / 1000),
        nonce: randomUUID(),
        sign: async (base) => sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }),
      }),
    )
  return {
    paired,
    fetch,
    client,
    signed: gatehouseClient({ baseUrl, token, fetch: signedFetch }),
    async scan(payload, more) {
      const { data, error } = await client.POST('/v1/scan', { body: scanOf(payload, now(), more) })
      if (!data) throw new Error(`${error.code}: ${error.message}`)
      return data
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([fetch[Symbol.asyncDispose](), plain[Symbol.asyncDispose]()])
    },
  }
}
