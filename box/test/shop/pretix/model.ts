/**
 * pretix's rules for check-ins, as its server has them (2026.8): redeem, annul and failed check-ins with force, nonce, type and device.
 * Written from reading `base/services/checkin.py` and `api/views/checkin.py`, not from their text; the tests against a real pretix
 * hold the two side by side.
 */
import type { Answer } from '../../../src/shop/pretix/up/next-step.ts'

export interface ModelPosition {
  id: number
  secret: string
  /** Of its order. */
  status: 'p' | 'n' | 'c'
  /** Cancelled alone, in an order that stands: its random secret is found no more. */
  canceled: boolean
  blocked: boolean
  item: number
  subevent: number | null
}

export interface ModelList {
  id: number
  products: readonly number[] | null
  subevent: number | null
  allowMultipleEntries: boolean
  allowEntryAfterExit: boolean
  /** Effect of the list's rule on an entry. */
  rule: 'none' | 'refuses' | 'throws'
}

export interface ModelRecord {
  position: number | null
  list: number
  type: string
  /** Unix ms. */
  at: number
  nonce: string | null
  device: number | null
  successful: boolean
  /** Of a failure, and of one that was annulled. */
  reason: string | null
  forceSent: boolean
  explanation?: string
  barcode?: string
  /** The code that a refused call has shown, which tells a repeated one. */
  shown?: string
}

type Body = Readonly<Record<string, unknown>>

const ANNUL_MS = 15 * 60_000

export class PretixModel {
  readonly positions: ModelPosition[] = []
  /** Positions of the orders that were made by the API. */
  readonly orders = new Map<string, ModelPosition[]>()
  readonly lists: ModelList[] = []
  readonly records: ModelRecord[] = []
  readonly answers = new Map<number, Record<string, string>>()
  /** Of the token; null for one of a team. */
  device: number | null = 7
  mayAnnul = true
  requests = 0
  readonly #byPosition = new Map<number | null, ModelRecord[]>()
  #indexed = 0

  add(position: Partial<ModelPosition> & { id: number; secret: string }): ModelPosition {
    const added: ModelPosition = {
      status: 'p',
      canceled: false,
      blocked: false,
      item: 1,
      subevent: null,
      ...position,
    }
    this.positions.push(added)
    return added
  }

  addList(list: Partial<ModelList> & { id: number }): void {
    this.lists.push({
      products: null,
      subevent: null,
      allowMultipleEntries: false,
      allowEntryAfterExit: true,
      rule: 'none',
      ...list,
    })
  }

  /** @param path below the organizer */
  post(path: string, body: Body): Answer {
    this.requests += 1
    const missing = this.#missingIn(path, body)
    if (missing) return { status: 400, body: missing }
    if (path === 'checkinrpc/redeem/') {
      const found = this.positions.find(({ secret, canceled }) => secret === body.secret && !canceled)
      return this.#redeem((body.lists as number[])[0] as number, found, body)
    }
    if (path === 'checkinrpc/annul/') return this.#annul(body)
    const byPosition = /^events\/[^/]+\/checkinlists\/(\d+)\/positions\/(\d+)\/redeem\/$/.exec(path)
    if (byPosition) {
      const found = this.positions.find(({ id, canceled }) => id === Number(byPosition[2]) && !canceled)
      return this.#redeem(Number(byPosition[1]), found, body)
    }
    const failed = /^events\/[^/]+\/checkinlists\/(\d+)\/failed_checkins\/$/.exec(path)
    if (failed) return this.#failed(Number(failed[1]), body)
    if (/^events\/[^/]+\/orders\/$/.test(path)) return this.#order(body)
    const cancelled = /^events\/[^/]+\/orders\/([A-Z]+)\/mark_canceled\/$/.exec(path)
    if (cancelled) return this.#cancel(cancelled[1] ?? '')
    return { status: 404, body: { detail: 'Not found.' } }
  }

  /** Required fields are looked at before anything is done. */
  #missingIn(path: string, body: Body): Record<string, string[]> | undefined {
    const [, call = ''] = /(checkinrpc\/redeem|checkinrpc\/annul|orders)\/$/.exec(path) ?? []
    const required = { 'checkinrpc/redeem': 'secret', 'checkinrpc/annul': 'nonce', orders: 'positions' }[call]
    return required === undefined || required in body ? undefined : { [required]: ['This field is required.'] }
  }

  /** A code and a secret are taken once. */
  #order({ code, positions }: Body): Answer {
    const wanted = positions as { secret: string; item: number }[]
    const taken = wanted.filter(({ secret }) => this.positions.some((one) => one.secret === secret))
    if (this.orders.has(String(code)) || taken.length > 0) {
      const errors = taken.length > 0 && {
        positions: [{ secret: ['You cannot assign a position secret that already exists.'] }],
      }
      return {
        status: 400,
        body: { ...(this.orders.has(String(code)) && { code: ['This order code is already in use.'] }), ...errors },
      }
    }
    const made = wanted.map(({ secret, item }) => this.add({ id: 5_000 + this.positions.length, secret, item }))
    this.orders.set(String(code), made)
    return { status: 201, body: { code } }
  }

  #cancel(code: string): Answer {
    const positions = this.orders.get(code)
    if (!positions) return { status: 404, body: { detail: 'Not found.' } }
    if (positions.every(({ status }) => status === 'c'))
      return { status: 400, body: { detail: 'The order is not allowed to be canceled.' } }
    for (const position of positions) position.status = 'c'
    return { status: 200, body: {} }
  }

  /** Of one position, as its order has them. */
  checkinsOf(position: number): Record<string, unknown>[] {
    return this.successes().flatMap(({ position: of, list, type, at, device }) => {
      return of === position ? [{ list, type, datetime: new Date(at).toISOString(), device_id: device }] : []
    })
  }

  /** Successful check-ins, in the order of their times. */
  successes(): ModelRecord[] {
    return this.records.filter(({ successful }) => successful).sort((a, b) => a.at - b.at)
  }

  /** A week has 20,000 records: those of one position are found by themselves. */
  #successesOf(position: ModelPosition, list: ModelList): ModelRecord[] {
    for (; this.#indexed < this.records.length; this.#indexed++) {
      const record = this.records[this.#indexed] as ModelRecord
      const of = this.#byPosition.get(record.position) ?? []
      of.push(record)
      this.#byPosition.set(record.position, of)
    }
    const found = (this.#byPosition.get(position.id) ?? []).filter((one) => one.successful && one.list === list.id)
    return found.sort((a, b) => a.at - b.at)
  }

  #redeem(listId: number, position: ModelPosition | undefined, body: Body): Answer {
    const list = this.lists.find(({ id }) => id === listId)
    if (!list) return { status: 400, body: { lists: ['Invalid pk'] } }
    const record = this.#recordOf(list, position, body)
    if (!position || (list.subevent !== null && list.subevent !== position.subevent)) {
      this.records.push({ ...record, position: null, successful: false, reason: 'invalid', shown: String(body.secret) })
      return { status: 404, body: { detail: 'Not found.', status: 'error', reason: 'invalid' } }
    }
    const refuse = (reason: string): Answer => {
      this.records.push({ ...record, successful: false, reason, shown: String(body.secret ?? position.id) })
      return { status: 400, body: { status: 'error', reason, position: this.#shown(position, list) } }
    }
    const ok: Answer = { status: 201, body: { status: 'ok', position: this.#shown(position, list) } }
    const refusal = this.#refusal(position, list, body)
    const force = body.force === true
    // Answers are stored before, also when the scan is refused.
    const given = body.answers as Record<string, string> | undefined
    if (given) this.answers.set(position.id, { ...this.answers.get(position.id), ...given })
    if (refusal === 'rules_throw') return refuse('rules')
    if (refusal && !force) return refuse(refusal)
    const earlier = this.#successesOf(position, list)
    const { nonce, type, device } = record
    const isLatest = earlier.at(-1)?.nonce === nonce
    const isRepeated = earlier.some((one) => one.nonce === nonce && one.type === type && one.device === device)
    if (nonce !== null && (isLatest || isRepeated)) return ok
    const isFree =
      type === 'exit' ||
      list.allowMultipleEntries ||
      earlier.every((one) => one.type !== 'entry') ||
      (list.allowEntryAfterExit && earlier.at(-1)?.type === 'exit')
    if (!isFree && !force) return refuse('already_redeemed')
    this.records.push({ ...record, successful: true, reason: null })
    return ok
  }

  #refusal(position: ModelPosition, list: ModelList, { type }: Body): string | undefined {
    if (position.status === 'c') return 'canceled'
    if (position.blocked) return 'blocked'
    if (list.products && !list.products.includes(position.item)) return 'product'
    if (position.status === 'n') return 'unpaid'
    if (type === 'exit') return undefined
    if (list.rule === 'throws') return 'rules_throw'
    return list.rule === 'refuses' ? 'rules' : undefined
  }

  #annul({ lists, nonce, datetime, error_explanation }: Body): Answer {
    if (!this.mayAnnul) return { status: 403, body: { detail: 'You do not have permission to perform this action.' } }
    const known = this.records.filter((one) => {
      const isSeen = this.device === null || one.device === this.device
      return one.nonce === nonce && (lists as number[]).includes(one.list) && isSeen
    })
    const [found, another] = known
    if (!found) return { status: 404, body: { detail: 'No check-in found based on nonce' } }
    // One that was refused before it was forced has its nonce, too.
    if (another) return { status: 400, body: ['Multiple check-ins found based on nonce'] }
    if (!found.successful || found.position === null) {
      return { status: 400, body: ['Cannot annul an unsuccessful checkin'] }
    }
    if (Date.parse(String(datetime)) - found.at > ANNUL_MS) return { status: 400, body: { non_field_errors: ['Late'] } }
    if (found.device !== null && found.device !== this.device) {
      return { status: 400, body: { non_field_errors: ['Annulment is only allowed from the same device'] } }
    }
    found.successful = false
    found.reason = 'annulled'
    found.explanation = String(error_explanation)
    return { status: 200, body: { status: 'ok' } }
  }

  #failed(listId: number, body: Body): Answer {
    const list = this.lists.find(({ id }) => id === listId)
    if (!list) return { status: 404, body: { detail: 'Not found.' } }
    const position = this.positions.find(({ id }) => id === body.position)
    const record = this.#recordOf(list, position, body)
    const isThere = this.records.some((one) => {
      const isRepeated = !one.successful && one.nonce !== null && one.nonce === record.nonce
      return isRepeated && one.list === list.id && one.shown === body.raw_barcode
    })
    if (!isThere) {
      const [reason, explanation, barcode] = [body.error_reason, body.error_explanation, body.raw_barcode].map(String)
      this.records.push({
        ...record,
        successful: false,
        reason: reason ?? '',
        explanation,
        barcode,
        shown: barcode ?? '',
      })
    }
    return { status: 201, body: {} }
  }

  #recordOf(list: ModelList, position: ModelPosition | undefined, body: Body): ModelRecord {
    return {
      position: position?.id ?? null,
      list: list.id,
      type: String(body.type),
      at: Date.parse(String(body.datetime)),
      nonce: typeof body.nonce === 'string' ? body.nonce : null,
      device: this.device,
      successful: false,
      reason: null,
      forceSent: body.force === true,
    }
  }

  #shown(position: ModelPosition, list: ModelList): object {
    const checkins = this.#successesOf(position, list).map(({ at, type, device }) => ({
      datetime: new Date(at).toISOString(),
      list: list.id,
      type,
      device_id: device,
      auto_checked_in: false,
    }))
    return { id: position.id, secret: position.secret, checkins }
  }
}
