/** State of the desk's screen: the results, and the ticket that is open. */
import { isEnough } from '@gatehouse/proto/look-up.ts'
import { type Camera, createCamera } from '@gatehouse/proto/ui/camera/camera.ts'
import type { Decoder } from '@gatehouse/proto/ui/camera/decoder.ts'
import { openDecoder } from '@gatehouse/proto/ui/camera/open-decoder.ts'
import type { DeskTicket, LookUpAnswer } from '@gatehouse/proto/wire/desk.ts'
import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answered, Refused, sentenceOf } from '../../session/answered.ts'
import { Dismissed, type Session } from '../../session/session.ts'
import { type Once, useOnce } from '../../widgets/once.ts'
import { deskWords as say } from '../../words/late.ts'

export interface Desk {
  typed: Signal<string>
  /** The sentence to show where there is no result. */
  problem: Signal<string | null>
  found: Signal<LookUpAnswer | null>
  ticket: Signal<DeskTicket | null>
  /** Looks up what is typed; opens the ticket where that is a code. */
  finding: Once<[]>
  /** Opens a ticket by its reference, or by what a camera has read. */
  opening: Once<[string]>
  /** Null while the camera is closed. */
  reader: Signal<{ camera: Camera; decoder: Decoder } | null>
  toggleCamera: () => void
}

export function useDesk({ client, withActor }: Session): Desk {
  const typed = useSignal('')
  const problem = useSignal<string | null>(null)
  const found = useSignal<LookUpAnswer | null>(null)
  const ticket = useSignal<DeskTicket | null>(null)
  const reader = useSignal<{ camera: Camera; decoder: Decoder } | null>(null)
  const attempt = async (work: (actor: string) => Promise<void>) => {
    problem.value = null
    try {
      await work(await withActor())
    } catch (error) {
      if (!(error instanceof Dismissed)) problem.value = sentenceOf(error)
    }
  }
  const open = async (shown: string, actor: string) =>
    answered(client.POST('/v1/admin/desk/ticket', { body: { ticket: shown, actor } }))
  const opening = useOnce((shown: string) =>
    attempt(async (actor) => {
      ticket.value = await open(shown, actor)
    }),
  )
  const finding = useOnce(() =>
    attempt(async (actor) => {
      const text = typed.value.trim()
      if (!isEnough(text)) {
        problem.value = say.few
        return
      }
      const answer = await answered(client.POST('/v1/admin/desk/look-up', { body: { text, actor } }))
      ticket.value = null
      found.value = null
      if (answer.tickets.length > 0) found.value = answer
      else ticket.value = await open(text, actor).catch(nothingUnless('not_found', answer))
    }),
  )
  const toggleCamera = () => {
    reader.value?.decoder.close()
    reader.value = reader.value
      ? null
      : { camera: createCamera(navigator.mediaDevices, signal(null)), decoder: openDecoder() }
  }
  useEffect(() => () => reader.value?.decoder.close(), [])
  return { typed, problem, found, ticket, finding, opening, reader, toggleCamera }
}

/** Says that nothing was found: the text is no code either. */
function nothingUnless(code: string, { indexing }: LookUpAnswer): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Refused) || error.code !== code) throw error
    throw new Refused(code, error.status, indexing ? say.reading : say.nothing)
  }
}
