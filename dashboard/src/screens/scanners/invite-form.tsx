/** The form for a new invite: its checkpoints, name, role and expiry. */
import './invite.css'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { Panel, Said, Select } from '../parts/parts.tsx'
import { APPS, checkpointsIn, EXPIRIES, type PairedApp, share, toggled } from './invite.ts'
import type { Roster, ShownInvite } from './invite-shown.tsx'

const say = words.devices

interface Wanted {
  app: PairedApp
  name: string
  supervisor: boolean
  seconds: number
  chosen: ReadonlySet<string>
}

interface InviteFormProps {
  model: Model
  roster: Roster
  shown: Signal<ShownInvite | null>
}

export function InviteForm(props: InviteFormProps): JSX.Element {
  const wanted = useSignal<Wanted>({
    app: 'ours',
    name: '',
    supervisor: false,
    seconds: EXPIRIES[0],
    chosen: new Set(),
  })
  const fault = useSignal<string | null>(null)
  const set = (part: Partial<Wanted>) => {
    wanted.value = { ...wanted.value, ...part }
    fault.value = null
  }
  const making = useOnce(() => make(wanted.value, props))
  const gates = props.model.live.stats.value?.gates ?? []
  const { app, name, supervisor, seconds, chosen } = wanted.value
  const checkpoints = checkpointsIn(gates, chosen)

  const submit = (event: Event) => {
    event.preventDefault()
    if (checkpoints.length === 0) fault.value = gates.length === 0 ? say.noGates : say.needCheckpoints
    else void making.run()
  }
  return (
    <Panel title={say.invite} lead={say.inviteLead}>
      <form class="part-form" onSubmit={submit}>
        <div class="part-field">
          <Checkpoints gates={gates} chosen={chosen} set={(next) => set({ chosen: next })} />
          <p class="quiet">{gates.length === 0 ? say.noGates : say.chosen(checkpoints.length)}</p>
        </div>
        <Select
          label={say.app.label}
          value={app}
          set={(next) => set({ app: next })}
          options={APPS.map((value) => ({ value, label: say.app[value] }))}
        />
        {app !== 'ours' && <p class="quiet">{say.app.less}</p>}
        <div class="invite-options">
          <Name value={name} set={(next) => set({ name: next })} />
          <Select
            label={say.expiry}
            value={String(seconds)}
            set={(each) => set({ seconds: Number(each) })}
            options={EXPIRIES.map((each) => ({ value: String(each), label: words.time.duration(each * 1000) }))}
          />
        </div>
        <label class="part-tick">
          <input
            type="checkbox"
            checked={supervisor}
            onChange={(event) => set({ supervisor: event.currentTarget.checked })}
          />
          {app === 'ours' ? say.supervisor : say.app.supervisor}
        </label>
        <Said bad={fault.value} />
        <div class="part-row">
          <button type="submit" class="primary part-main" aria-busy={making.busy.value}>
            {say.make}
          </button>
        </div>
      </form>
    </Panel>
  )
}

function Name({ value, set }: { value: string; set: (name: string) => void }): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={`${id}-name`}>{say.name}</label>
      <input
        id={`${id}-name`}
        value={value}
        maxLength={500}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <p class="quiet" id={`${id}-hint`}>
        {say.nameHint}
      </p>
    </div>
  )
}

interface Chosen {
  chosen: ReadonlySet<string>
  set: (chosen: ReadonlySet<string>) => void
}

/** Every checkpoint by its gate; a gate, or everything, is ticked at once. */
function Checkpoints({ gates, chosen, set }: Chosen & { gates: Stats['gates'] }): JSX.Element {
  const all = gates.flatMap((gate) => gate.checkpoints.map((checkpoint) => checkpoint.id))
  return (
    <fieldset class="part-field">
      <legend>{say.checkpoints}</legend>
      {all.length > 0 && <Tick label={say.everything} ids={all} chosen={chosen} set={set} />}
      <div class="invite-gates">
        {gates.map(({ id, name, checkpoints }) => (
          <fieldset key={id} class="invite-gate">
            <legend>{name}</legend>
            {checkpoints.length > 1 && (
              <Tick label={say.allOf(name)} ids={checkpoints.map((each) => each.id)} chosen={chosen} set={set} />
            )}
            {checkpoints.map((each) => (
              <Tick
                key={each.id}
                label={each.name}
                note={words.flags.direction[each.direction]}
                ids={[each.id]}
                chosen={chosen}
                set={set}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}

/** A checkpoint, or several that are ticked together. */
function Tick({
  label,
  note,
  ids,
  chosen,
  set,
}: Chosen & { label: string; note?: string; ids: readonly string[] }): JSX.Element {
  const state = share(chosen, ids)
  return (
    <label class="part-tick">
      <input
        type="checkbox"
        checked={state === 'all'}
        indeterminate={state === 'some'}
        onChange={() => set(toggled(chosen, ids))}
      />
      {label} {note && <span class="invite-direction">{note}</span>}
    </label>
  )
}

async function make(wanted: Wanted, { model: { act, live, session }, roster, shown }: InviteFormProps): Promise<void> {
  const checkpoints = checkpointsIn(live.stats.value?.gates ?? [], wanted.chosen)
  const { seconds } = wanted
  const name = wanted.name.trim()
  await act(async (actor) => {
    // A device that is new after this was paired with the invite.
    await roster.read()
    const before = new Set(roster.found.value?.map((device) => device.device_id))
    const made = await invited({ ...wanted, name }, { checkpoints, actor }, session)
    shown.value = { ...made, checkpoints, before, name, made: { at: Date.now(), seconds } }
    return say.shown.made
  })
}

async function invited(
  { app, name, supervisor, seconds }: Wanted,
  { checkpoints, actor }: { checkpoints: string[]; actor: string },
  { client }: Model['session'],
): Promise<Pick<ShownInvite, 'invite' | 'typed'>> {
  const body = { checkpoints, supervisor, actor, expires_in_seconds: seconds, ...(name !== '' && { name }) }
  if (app === 'ours') return { invite: await answered(client.POST('/v1/admin/invite', { body })) }
  const answer = client.POST('/v1/admin/pretixscan/invite', { body: { ...body, mode: app } })
  const { token, url, ...invite } = await answered(answer)
  return { invite: { ...invite, invite: token, trust_link: null, trust_page: null }, typed: { url, token } }
}
