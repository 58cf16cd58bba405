/** Connects a pretix: address and token, what the box finds there, a dry run, and the connection. For an admin. */
import type { ShopConnect, ShopConnected } from '@gatehouse/proto/wire/shop.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { type Attempt, useAttempt } from '../../widgets/attempt.ts'
import { FileField } from '../../widgets/file-field.tsx'
import { shopWords } from '../../words/late.ts'
import { Panel, Run, Said, Select } from '../parts/parts.tsx'
import { Found } from './found.tsx'
import { Trial } from './trial.tsx'
import { NOTHING, type Typed, typed, wishOf } from './wish.ts'

const say = shopWords.connect
/** Of PEM text: the box takes no more. */
const MOST_AUTHORITY = 32_768

export interface ConnectState {
  form: Signal<Typed>
  /** The box's findings by what is in the form; null before it was asked. */
  answer: Signal<ShopConnected | null>
  set: (part: Partial<Typed>) => void
}

export function Connect({ model, isAgain, done }: { model: Model; isAgain: boolean; done: () => void }): JSX.Element {
  const form = useSignal(NOTHING)
  const answer = useSignal<ShopConnected | null>(null)
  const isKept = useSignal(false)
  const trials = useSignal(0)
  const set = (part: Partial<Typed>) => {
    form.value = typed(form.value, part)
    answer.value = null
    trials.value = 0
    if ('url' in part) isKept.value = false
  }
  const ask = async (step: ShopConnect['step'], actor?: string) => {
    const body = wishOf(form.value, step, actor)
    const given = await answered(model.session.client.POST('/v1/admin/shop/connect', { body }))
    if (given.exchanged) {
      isKept.value = true
      form.value = { ...form.value, token: '', authority: '' }
    }
    answer.value = given
    return given
  }
  const looking = useAttempt(() => ask('look'))
  const trying = useAttempt(async () => {
    await ask('dry_run')
    trials.value++
  })
  const connecting = useAttempt(async () => {
    const { connected, pending } = await ask('connect', await model.session.withActor())
    if (!connected) return
    form.value = { ...form.value, token: '', authority: '' }
    if (pending) return
    model.toasts.toast(say.connected)
    done()
  })
  const state = { form, answer, set }
  const { value } = answer
  return (
    <Panel title={isAgain ? say.again : say.title} lead={say.lead}>
      <Address state={state} looking={looking} isKept={isKept.value} />
      {value?.choose && <Choice state={state} choose={value.choose} looking={looking} />}
      {value?.found && (
        <>
          <Found found={value.found} form={form} set={(dates) => (form.value = { ...form.value, dates })} />
          <Said bad={trying.problem.value ?? connecting.problem.value} />
          {value.connected ? <Pending /> : <Steps trying={trying} connecting={connecting} />}
          {trials.value > 0 && <Trial key={trials.value} model={model} />}
        </>
      )}
    </Panel>
  )
}

interface AddressProps {
  state: ConnectState
  looking: Attempt<[]>
  isKept: boolean
}

function Address({ state: { form, set }, looking, isKept }: AddressProps): JSX.Element {
  const id = useId()
  const { url, token } = form.value
  const submit = (event: Event) => {
    event.preventDefault()
    void looking.run()
  }
  return (
    <form class="part-form" onSubmit={submit}>
      <div class="part-field">
        <label for={`${id}-url`}>{say.url}</label>
        <input
          id={`${id}-url`}
          type="url"
          value={url}
          required
          maxLength={500}
          placeholder="https://pretix.example"
          autocomplete="off"
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      </div>
      <div class="part-field">
        <label for={`${id}-token`}>{say.token}</label>
        <input
          id={`${id}-token`}
          type="password"
          value={token}
          maxLength={200}
          autocomplete="off"
          aria-describedby={`${id}-hint`}
          onInput={(event) => set({ token: event.currentTarget.value })}
        />
        <p class="quiet" id={`${id}-hint`}>
          {isKept ? say.tokenKept : say.tokenHint}
        </p>
      </div>
      <Authority set={(authority) => set({ authority })} />
      <Said bad={looking.problem.value} />
      <div class="part-row">
        <button type="submit" class="part-main" aria-busy={looking.busy.value}>
          {say.look}
        </button>
      </div>
    </form>
  )
}

/** A private authority, which few have. */
function Authority({ set }: { set: (pem: string) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const file = useSignal<File | null>(null)
  const fault = useSignal<string | null>(null)
  const choose = async (chosen: File | null) => {
    const isTooLarge = chosen !== null && chosen.size > MOST_AUTHORITY
    fault.value = isTooLarge ? say.authorityTooLarge : null
    file.value = isTooLarge ? null : chosen
    set((await file.value?.text()) ?? '')
  }
  return (
    <details>
      <summary>{say.authority}</summary>
      <FileField
        field={field}
        label={say.authorityFile}
        accept=".pem,.crt,.cer,.txt"
        hint={say.authorityHint}
        file={file.value}
        disabled={false}
        choose={(chosen) => void choose(chosen)}
      />
      <Said bad={fault.value} />
    </details>
  )
}

interface ChoiceProps {
  state: ConnectState
  choose: NonNullable<ShopConnected['choose']>
  looking: Attempt<[]>
}

function Choice({ state: { form }, choose: { what, choices }, looking }: ChoiceProps): JSX.Element {
  const options = choices.map(({ slug, name, date }) => ({
    value: slug,
    label: date === null ? name : `${name}, ${date.slice(0, 10)}`,
  }))
  const choose = (slug: string) => {
    form.value = { ...form.value, [what]: slug }
    void looking.run()
  }
  return <Select label={say[what]} value="" set={choose} options={[{ value: '', label: say.choose }, ...options]} />
}

function Steps({ trying, connecting }: Record<'trying' | 'connecting', Attempt<[]>>): JSX.Element {
  return (
    <>
      <div class="part-row">
        <Run work={trying}>{say.dryRun}</Run>
        <Run work={connecting} class="primary part-main">
          {say.connect}
        </Run>
      </div>
      <p class="quiet">{say.dryRunHint}</p>
    </>
  )
}

/** The event file was written, and the box runs with another one. */
function Pending(): JSX.Element {
  return (
    <p>
      {say.pending} <a href="#/guide">{say.openGuide}</a>
    </p>
  )
}
