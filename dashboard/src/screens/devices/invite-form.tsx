/** What an invite is for, and the button that makes it. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { stats } from '../../live/live.ts'
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { act } from '../../widgets/act.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Panel, Said } from '../parts/parts.tsx'
import type { RosterState, ShownInvite } from './devices.tsx'
import { checkpointsIn, EXPIRIES, share, toggled } from './invite.ts'

const say = words.devices

interface Wanted {
  name: string
  supervisor: boolean
  seconds: number
  chosen: ReadonlySet<string>
}

export function InviteForm({ roster, shown }: { roster: RosterState; shown: Signal<ShownInvite | null> }): JSX.Element {
  const id = useId()
  const wanted = useSignal<Wanted>({ name: '', supervisor: false, seconds: EXPIRIES[0], chosen: new Set() })
  const fault = useSignal<string | null>(null)
  const set = (part: Partial<Wanted>) => {
    wanted.value = { ...wanted.value, ...part }
    fault.value = null
  }
  const making = useMemo(() => once(() => make(wanted.value, roster, shown)), [])
  const gates = stats.value?.gates ?? []
  const { name, supervisor, seconds, chosen } = wanted.value
  const checkpoints = checkpointsIn(gates, chosen)
  const all = gates.flatMap((gate) => gate.checkpoints.map((checkpoint) => checkpoint.id))

  const submit = (event: Event) => {
    event.preventDefault()
    if (checkpoints.length === 0) fault.value = gates.length === 0 ? say.noGates : say.needCheckpoints
    else void making.run()
  }
  return (
    <Panel title={say.invite} lead={say.inviteLead}>
      <form class="part-form" onSubmit={submit}>
        <div class="part-field">
          <fieldset class="part-field">
            <legend>{say.checkpoints}</legend>
            {all.length > 0 && (
              <Tick label={say.everything} ids={all} chosen={chosen} set={(next) => set({ chosen: next })} />
            )}
            <div class="devices-gates">
              {gates.map((gate) => (
                <fieldset key={gate.id} class="devices-gate">
                  <legend>{gate.name}</legend>
                  {gate.checkpoints.length > 1 && (
                    <Tick
                      label={say.allOf(gate.name)}
                      ids={gate.checkpoints.map((checkpoint) => checkpoint.id)}
                      chosen={chosen}
                      set={(next) => set({ chosen: next })}
                    />
                  )}
                  {gate.checkpoints.map((checkpoint) => (
                    <Tick
                      key={checkpoint.id}
                      label={checkpoint.name}
                      note={words.flags.direction[checkpoint.direction]}
                      ids={[checkpoint.id]}
                      chosen={chosen}
                      set={(next) => set({ chosen: next })}
                    />
                  ))}
                </fieldset>
              ))}
            </div>
          </fieldset>
          <p class="quiet">{gates.length === 0 ? say.noGates : say.chosen(checkpoints.length)}</p>
        </div>
        <div class="devices-options">
          <div class="part-field">
            <label for={`${id}-name`}>{say.name}</label>
            <input
              id={`${id}-name`}
              value={name}
              maxLength={500}
              autocomplete="off"
              aria-describedby={`${id}-hint`}
              onInput={(event) => set({ name: event.currentTarget.value })}
            />
            <p class="quiet" id={`${id}-hint`}>
              {say.nameHint}
            </p>
          </div>
          <div class="part-field">
            <label for={`${id}-expiry`}>{say.expiry}</label>
            <select
              id={`${id}-expiry`}
              value={String(seconds)}
              onChange={(event) => set({ seconds: Number(event.currentTarget.value) })}
            >
              {EXPIRIES.map((each) => (
                <option key={each} value={String(each)}>
                  {words.time.duration(each * 1000)}
                </option>
              ))}
            </select>
          </div>
        </div>
        <label class="part-tick">
          <input
            type="checkbox"
            checked={supervisor}
            onChange={(event) => set({ supervisor: event.currentTarget.checked })}
          />
          {say.supervisor}
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

/** A checkpoint, or several that are ticked together. */
function Tick({
  label,
  note,
  ids,
  chosen,
  set,
}: {
  label: string
  note?: string
  ids: readonly string[]
  chosen: ReadonlySet<string>
  set: (chosen: ReadonlySet<string>) => void
}): JSX.Element {
  const state = share(chosen, ids)
  return (
    <label class="part-tick">
      <input
        type="checkbox"
        checked={state === 'all'}
        indeterminate={state === 'some'}
        onChange={() => set(toggled(chosen, ids))}
      />
      {label} {note && <span class="devices-direction">{note}</span>}
    </label>
  )
}

async function make(
  { name, supervisor, seconds, chosen }: Wanted,
  roster: RosterState,
  shown: Signal<ShownInvite | null>,
): Promise<void> {
  const checkpoints = checkpointsIn(stats.value?.gates ?? [], chosen)
  await act(async (actor) => {
    // Who is there by now: whoever is new after this came in on the invite.
    await roster.read()
    const before = new Set(roster.devices.value?.map((device) => device.device_id))
    const body = {
      ...{ checkpoints, supervisor, actor, expires_in_seconds: seconds },
      ...(name.trim() !== '' && { name: name.trim() }),
    }
    const invite = await answered(client.POST('/v1/admin/invite', { body }))
    shown.value = { invite, checkpoints, before, name: name.trim(), made: { at: Date.now(), seconds } }
    return say.shown.made
  })
}
