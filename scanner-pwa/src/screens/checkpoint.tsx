/** The choice of the checkpoint where this phone stands, and of the person who holds it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Pairing, Scanner } from '../gate/model.ts'
import { hashOf } from '../route.ts'
import { screenWords } from '../words/late.ts'
import { Page } from './page.tsx'
import './checkpoint.css'

const say = screenWords.checkpoint

export function CheckpointScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const chosen = scanner.checkpoint.value
  const wanted = scanner.signOnWanted.value
  const [name, setName] = useState(scanner.shift.value.operator ?? '')
  const gates = gatesOf(scanner.pairing.value)
  const choose = (id: string) => {
    if (!wanted) scanner.signOn(name.trim() === '' ? null : name.trim())
    scanner.choose(id)
    location.hash = hashOf('preflight')
  }
  return (
    <Page title={say.title} {...(chosen && { back: 'scan' as const })}>
      {!wanted && (
        <label class="field">
          {say.operator}
          <span class="hint">{say.operatorHint}</span>
          <input
            value={name}
            maxLength={100}
            autocomplete="name"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
      )}
      {gates.length === 0 && <p role="alert">{say.none}</p>}
      {gates.map(({ gate, checkpoints }) => (
        <section key={gate} aria-label={gate}>
          <h2>{gate}</h2>
          <ul class="plain-list">
            {checkpoints.map((checkpoint) => (
              <li key={checkpoint.id}>
                <button
                  type="button"
                  class="checkpoint"
                  aria-current={chosen?.id === checkpoint.id}
                  onClick={() => choose(checkpoint.id)}
                >
                  <b>{checkpoint.name}</b>
                  <span>{checkpoint.direction === 'in' ? say.in : say.out}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

function gatesOf(pairing: Pairing | null): { gate: string; checkpoints: Pairing['checkpoints'][number][] }[] {
  const byGate = Map.groupBy(pairing?.checkpoints ?? [], ({ gate_name: gate }) => gate)
  return [...byGate].map(([gate, checkpoints]) => ({ gate, checkpoints }))
}
