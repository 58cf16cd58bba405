/** Double uses that came back with the box: this phone's record beside the other one, until a person has seen them. */
import type { JSX } from 'preact'
import type { Scanner, ScanRecord } from '../gate/model.ts'
import { screenWords } from '../words/late.ts'
import { verdictWords } from '../words/verdict.ts'
import { speech, words } from '../words/words.ts'
import { Page } from './page.tsx'
import './doubles.css'

const say = screenWords.doubles

export function DoublesScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const doubles = scanner.doubles.value
  const aside = scanner.aside.value
  return (
    <Page title={say.title} lead={doubles.length > 0 ? say.lead : aside.length > 0 ? '' : say.none} back="scan">
      <ul class="plain-list">
        {doubles.map((record) => (
          <li key={record.scanId} class="double">
            <h2>
              {[(record.afterwards ?? record.verdict).tier_name, (record.afterwards ?? record.verdict).seat_label]
                .filter(Boolean)
                .join(', ') || words.verdict.class.used}
            </h2>
            <div class="double-pair">
              <section aria-label={say.yours}>
                <h3>{say.yours}</h3>
                <p>{say.at(placeName(scanner, record.checkpoint), record.at)}</p>
                <p class="quiet">
                  {[words.verdict.offline(record.unheardMs), record.operator].filter(Boolean).join(' · ')}
                </p>
              </section>
              <section aria-label={say.other}>
                <h3>{say.other}</h3>
                <Other record={record} />
              </section>
            </div>
            <button type="button" class="primary big" onClick={() => scanner.dismissDouble(record.scanId)}>
              {say.dismiss}
            </button>
          </li>
        ))}
      </ul>
      {aside.length > 0 && (
        <section aria-label={say.aside}>
          <h2>{say.aside}</h2>
          <p class="quiet">{say.asideLead}</p>
          <ul class="plain-list">
            {aside.map((record) => (
              <li key={record.scanId} class="double">
                <p>{say.at(placeName(scanner, record.checkpoint), record.at)}</p>
                <p class="bad">{record.refusal}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  )
}

function Other({ record: { afterwards, ...record } }: { record: ScanRecord }): JSX.Element {
  const evidence = afterwards?.evidence
  if (!afterwards) return <p>{say.unknown}</p>
  if (evidence && 'used_at' in evidence) {
    const { gate_name: gate, checkpoint_name: checkpoint, used_at: at } = evidence
    return (
      <>
        <p>{`${gate}, ${speech.clock(Date.parse(at))}`}</p>
        {checkpoint !== gate && <p class="quiet">{checkpoint}</p>}
      </>
    )
  }
  const { word, fact } = verdictWords({ ...record, verdict: afterwards })
  return <p>{fact || word}</p>
}

function placeName(scanner: Scanner, id: string): string {
  return scanner.pairing.value?.checkpoints.find((checkpoint) => checkpoint.id === id)?.name ?? id
}
