/**
 * When each scanner last made a request, and the status that it reported. In memory only: a request costs no write, and
 * after a restart every scanner that is there makes its next request within seconds.
 */

import type { StatusReport } from '@gatehouse/proto/wire/stats.ts'
import type { App } from '../http/app.ts'
import { deviceOffset } from './device-offset.ts'

/** The last report of a device by `POST /v1/status`. */
export interface DeviceStatus {
  unsent: number
  appVersion: string | null
  battery: number | null
  checkpoint: string | null
  /** Milliseconds by which its clock is ahead; null when it sent no reading. */
  offsetMs: number | null
}

interface Contact {
  at: number
  /** Event streams that the device has open. */
  streams: number
  status: DeviceStatus | undefined
}

const STREAM = '/v1/stream'

export class Presence {
  readonly #now: () => number
  readonly #contacts = new Map<string, Contact>()

  /** @param now unix ms */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts every authenticated request on `app` as a contact. */
  watch(app: App): void {
    app.addHook('preHandler', (request, reply, done) => {
      const contact = this.#contact(request.device.id)
      contact.at = this.#now()
      if (request.routeOptions.url === STREAM) {
        contact.streams++
        reply.raw.once('close', () => {
          contact.streams--
          contact.at = Math.max(contact.at, this.#lastOf(contact, contact.streams + 1))
        })
      }
      done()
    })
  }

  report(device: string, report: StatusReport): void {
    const contact = this.#contact(device)
    contact.status = {
      unsent: report.unsent,
      appVersion: report.app_version ?? null,
      battery: report.battery ?? null,
      checkpoint: report.checkpoint ?? null,
      offsetMs: deviceOffset(report.device_hlc, this.#now()),
    }
  }

  /** Unix ms; undefined for a device that made no request since the box started. */
  lastContact(device: string): number | undefined {
    const contact = this.#contacts.get(device)
    return contact && this.#lastOf(contact, contact.streams)
  }

  statusOf(device: string): DeviceStatus | undefined {
    return this.#contacts.get(device)?.status
  }

  /**
   * A socket stays open for a quarter of an hour after the phone behind it has gone dark. An open stream therefore counts as
   * presence only for clients that never report their status: the others are judged by their reports.
   */
  #lastOf(contact: Contact, streams: number): number {
    return streams > 0 && !contact.status ? this.#now() : contact.at
  }

  #contact(device: string): Contact {
    const known = this.#contacts.get(device)
    if (known) return known
    const contact: Contact = { at: this.#now(), streams: 0, status: undefined }
    this.#contacts.set(device, contact)
    return contact
  }
}
