/**
 * When each scanner was last heard, and what it said of itself. In memory only: a request costs no write, and after a
 * restart those that are there have been heard again within seconds.
 */

import { parse } from '@gatehouse/proto/hlc.ts'
import type { StatusReport } from '@gatehouse/proto/wire/stats.ts'
import type { App } from '../http/app.ts'

/** What a device has said with `POST /v1/status`. */
export interface Told {
  unsent: number
  appVersion: string | null
  battery: number | null
  checkpoint: string | null
  /** How far its clock is ahead; null when it sent no reading. */
  offsetMs: number | null
}

interface Contact {
  at: number
  /** Event streams that it has open. */
  streams: number
  told: Told | undefined
}

const STREAM = '/v1/stream'

export class Presence {
  readonly #now: () => number
  readonly #contacts = new Map<string, Contact>()

  /** @param now unix ms */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Every request on `app` that has shown whose it is counts as a contact. */
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

  tell(device: string, report: StatusReport): void {
    const contact = this.#contact(device)
    const reading = report.device_hlc === undefined ? undefined : parse(report.device_hlc)
    contact.told = {
      unsent: report.unsent,
      appVersion: report.app_version ?? null,
      battery: report.battery ?? null,
      checkpoint: report.checkpoint ?? null,
      offsetMs: reading ? reading.ms - this.#now() : null,
    }
  }

  /** Unix ms; undefined for a device that was not heard since the box started. */
  lastContact(device: string): number | undefined {
    const contact = this.#contacts.get(device)
    return contact && this.#lastOf(contact, contact.streams)
  }

  told(device: string): Told | undefined {
    return this.#contacts.get(device)?.told
  }

  /**
   * A socket stays open for a quarter of an hour after the phone behind it has gone dark. So an open stream says that
   * somebody is there only of clients that say nothing else: who sends its status is held to that.
   */
  #lastOf(contact: Contact, streams: number): number {
    return streams > 0 && !contact.told ? this.#now() : contact.at
  }

  #contact(device: string): Contact {
    const known = this.#contacts.get(device)
    if (known) return known
    const contact: Contact = { at: this.#now(), streams: 0, told: undefined }
    this.#contacts.set(device, contact)
    return contact
  }
}
