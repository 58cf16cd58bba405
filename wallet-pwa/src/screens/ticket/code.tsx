/** The rotating code, dark on white, as large as the screen allows; a press makes it fill the screen. */
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { canStayAwake, stayAwake } from '../../awake.ts'
import { slotTimes } from '../../box/clock.ts'
import { useLater } from '../../later.ts'
import type { Model } from '../../model.ts'
import { Sheet } from '../../pieces.tsx'
import { codeLoop, type ShownCode } from '../../wallet/code-loop.ts'
import type { WalletTicket } from '../../wallet/tickets.ts'
import { words } from '../../words/words.ts'

/** Not in the first script, which has a budget. */
const loadQr = reimporting(() => import('@gatehouse/proto/ui/qr.tsx'))
// On its way before the ticket is; where it gets lost, the code asks again.
loadQr().catch(() => {})

export function Code({ model, ticket, view }: { model: Model; ticket: WalletTicket; view: TicketView }): JSX.Element {
  const code = useCode(model, ticket, view)
  const [large, setLarge] = useState(false)
  const Qr = useLater(loadQr).part?.Qr
  useEffect(stayAwake, [])
  return (
    <div class="code">
      {Qr && code?.text ? (
        <button type="button" class="code-press" aria-label={words.ticket.code} onClick={() => setLarge(true)}>
          <Qr class="code-qr" text={code.text} label={words.ticket.codeLarge} />
        </button>
      ) : (
        <p class="code-qr code-making" role="status">
          {words.ticket.making}
        </p>
      )}
      <Remaining model={model} code={code} hint={words.ticket.enlarge} />
      {Qr && large && code?.text && (
        <Sheet label={words.ticket.codeLarge} class="large" close={() => setLarge(false)}>
          <button type="button" class="code-press" aria-label={words.close} onClick={() => setLarge(false)}>
            <Qr class="large-qr" text={code.text} label={words.ticket.codeLarge} />
          </button>
          <div class="large-words">
            <Remaining model={model} code={code} />
            <p class="large-name">
              {[view.ticket.tier_name, view.ticket.seat_label, view.ticket.holder_name].filter(Boolean).join(' · ')}
            </p>
            <p>{words.ticket.bright}</p>
            {!canStayAwake() && <p>{words.ticket.awake}</p>}
            <button type="button" class="big" onClick={() => setLarge(false)}>
              {words.close}
            </button>
          </div>
        </Sheet>
      )}
    </div>
  )
}

interface RemainingProps {
  model: Model
  code: ShownCode | null
  hint?: string
}

/**
 * Hidden from screen readers, to which the code's name says that it changes. Without a code it is invisible and keeps its place, so that
 * nothing moves when the code comes.
 */
function Remaining({ model: { wallet, tick }, code, hint }: RemainingProps): JSX.Element {
  const { remainingMs } = slotTimes(tick.value + (wallet.offset.value ?? 0))
  return (
    <div class="code-time" aria-hidden="true" style={{ visibility: code?.text ? 'visible' : 'hidden' }}>
      <div class="code-bar">{code && <div key={code.slot} style={{ animationDelay: `-${code.elapsedMs}ms` }} />}</div>
      <p>
        {words.ticket.next(Math.ceil(remainingMs / 1000))}
        {hint && ` · ${hint}`}
      </p>
    </div>
  )
}

function useCode({ wallet }: Model, { id, claim }: WalletTicket, { secret }: TicketView): ShownCode | null {
  const [code, setCode] = useState<ShownCode | null>(null)
  const offset = wallet.offset.value
  useEffect(() => {
    const loop = codeLoop({
      now: wallet.now,
      codeAt: (slot) => wallet.codeOf(id, slot),
      show: setCode,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    })
    document.addEventListener('visibilitychange', loop.again)
    return () => {
      document.removeEventListener('visibilitychange', loop.again)
      loop.stop()
    }
    // Another key, or another clock, makes another code, and the one on the screen is wrong from this moment.
  }, [id, claim, secret, offset])
  return code
}
