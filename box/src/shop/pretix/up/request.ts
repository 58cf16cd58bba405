/** A call as the request that is sent. Pure. Paths are below `/api/v1/organizers/{organizer}/`. */
import { type Call, nonceOf } from './call.ts'
import type { Next, Step } from './next-step.ts'
import { orderCodeOf, type Sale } from './sale.ts'
import type { Position, ShopSide } from './shop-side.ts'

export interface Request {
  readonly path: string
  readonly body: object
}

export interface Known {
  /** Undefined for an unknown code. */
  readonly position: Position | undefined
  readonly answers: Readonly<Record<string, string>>
  /** Id of the event here, and its slug there. */
  readonly event: string
  readonly slug: string
}

export function requestOf(call: Exclude<Call, { do: 'sell' }>, step: Step, known: Known): Request {
  const { position, answers, event, slug } = known
  const { list, nonce, at: datetime } = call
  if (call.do === 'fail') {
    const { reason, explanation, type, barcode } = call
    const of = position?.id == null ? {} : { position: position.id }
    const whose = { raw_barcode: position?.secret ?? barcode, ...of }
    const body = { error_reason: reason, error_explanation: explanation, ...whose, datetime, type, nonce }
    return { path: `events/${slug}/checkinlists/${list}/failed_checkins/`, body }
  }
  if (call.do === 'annul' && !step.asExit) {
    const body = { lists: [list], nonce, datetime, error_explanation: call.explanation }
    return { path: 'checkinrpc/annul/', body }
  }
  const type = call.do === 'annul' ? 'exit' : call.do === 'redeem' ? call.type : 'entry'
  const body = {
    type,
    datetime,
    force: step.force,
    // Questions of the shop were asked at the gate, or nobody had the time: the person is inside.
    questions_supported: false,
    ...(type === 'entry' && Object.keys(answers).length > 0 && { answers }),
    nonce: call.do === 'annul' ? nonceOf(event, call.scan, 'sent_out') : nonce,
  }
  if (step.byPosition && position?.id != null) {
    const path = `events/${slug}/checkinlists/${list}/positions/${position.id}/redeem/`
    return { path, body: { ...body, canceled_supported: true } }
  }
  const body_ = { secret: position?.secret ?? '', source_type: 'barcode', lists: [list], ...body }
  return { path: 'checkinrpc/redeem/', body: body_ }
}

/** @returns `unknown` where its tickets are not here yet; or why pretix can have none */
export function requestOfSale(
  sale: Sale,
  { event, shop }: { event: string; shop: Pick<ShopSide, 'event' | 'orderOf'> },
): Request | 'unknown' | Next {
  const orders = `events/${shop.event}/orders/`
  if (sale.action === 'voided') {
    return { path: `${orders}${orderCodeOf(event, sale.sale)}/mark_canceled/`, body: { send_email: false } }
  }
  const body = shop.orderOf(sale)
  return body === 'unknown' || 'next' in body ? body : { path: orders, body }
}
