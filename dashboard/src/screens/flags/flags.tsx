/** Cases: the records that contradict each other, and the outcome that somebody found. */
import './flags.css'
import type { Flag } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { addressOf } from '../log/filters.ts'
import type { Page as Paged } from '../log/pages.ts'
import { Choices, Facts, ListEnd, Page } from '../parts/parts.tsx'
import { type Choice, choiceIn, countOf, FLAG_KINDS, OUTCOMES, type Side, sidesOf, wasLearned } from './case.ts'
import { type CaseList, caseList } from './case-list.ts'

const say = words.flags

/** The list as one of its cases sees it. */
interface Listing {
  model: Model
  list: CaseList
}

export function Screen(model: Model): JSX.Element {
  const { stats } = model.live
  const list = useMemo(
    () =>
      caseList({ choice: choiceIn(location.hash), stats, fetch: (state, after) => read(model.session, state, after) }),
    [],
  )
  useEffect(() => list.follow(), [])
  const { cases, choice, changed, again, none, set } = list
  return (
    <Page title={say.title} lead={say.lead}>
      <Filters choice={choice.value} set={set} stats={stats.value} />
      {changed.value && (
        <button type="button" onClick={again}>
          {say.changed}
        </button>
      )}
      <ol class="flags-list" aria-label={say.title}>
        {cases.rows.value.map((flag) => (
          <li key={flag.id}>
            <Case flag={flag} listing={{ model, list }} />
          </li>
        ))}
      </ol>
      <ListEnd list={cases} none={none.value} />
    </Page>
  )
}

async function read({ client }: Session, state: Choice['state'], after: string | null): Promise<Paged<Flag, string>> {
  const query = { limit: 50, state, ...(after !== null && { after }) }
  const { flags, next } = await answered(client.GET('/v1/admin/flags', { params: { query } }))
  return { rows: flags, next }
}

interface FiltersProps {
  choice: Choice
  set: (part: Partial<Choice>) => void
  stats: Stats | null
}

function Filters({ choice, set, stats }: FiltersProps): JSX.Element {
  const withCount = (name: string, of: Choice) => {
    const count = countOf(of, stats)
    return count === null ? name : `${name} (${count})`
  }
  return (
    <div class="flags-filters">
      <Choices
        inline
        label={say.state.label}
        value={choice.state}
        set={(state) => set({ state })}
        options={(['open', 'resolved'] as const).map((state) => ({
          value: state,
          label: withCount(say.state[state], { state, kind: null }),
        }))}
      />
      <Choices
        inline
        label={say.kind.label}
        value={choice.kind ?? ''}
        set={(kind) => set({ kind: kind === '' ? null : kind })}
        options={[
          { value: '' as const, label: say.kind.all },
          ...FLAG_KINDS.map((kind) => ({
            value: kind,
            label: withCount(say.kinds[kind].name, { state: choice.state, kind }),
          })),
        ]}
      />
    </div>
  )
}

function Case({ flag, listing }: { flag: Flag; listing: Listing }): JSX.Element {
  const { boxNow, stats } = listing.model.live
  const { may } = listing.model.session
  const { kind, ticket_ref, records, resolution } = flag
  const resolving = useOnce((given: Flag) => resolve(given, listing))
  const sides = sidesOf(flag, stats.value?.gates ?? [])
  const of = ticket_ref === null ? say.noTicket : say.ticket(ticket_ref)
  const log = addressOf(ticket_ref === null ? { device: records[0]?.device ?? '' } : { ticket: ticket_ref })
  return (
    <article
      class="part-panel flags-case"
      data-open={resolution === null}
      aria-label={say.found(say.kinds[kind].name, of)}
    >
      <header>
        <div class="flags-means">
          <h2>
            {say.kinds[kind].name} <span class="flags-of">{of}</span>
          </h2>
          <p>{say.kinds[kind].means}</p>
          {flag.suspicion && <p>{say.suspicion[flag.suspicion]}</p>}
          {flag.shop && <ShopSays shop={flag.shop} />}
          {flag.order === 'uncertain' && <p class="tag tag-warn">{say.orderUncertain}</p>}
          <p class="quiet">{say.detected(words.time.ago(boxNow.value - Date.parse(flag.detected_at)))}</p>
        </div>
        <div class="part-row">
          {ticket_ref !== null && may('revokeTicket') && (
            <a class="button" href={`#/tickets?ticket=${encodeURIComponent(ticket_ref)}`}>
              {say.openTicket}
            </a>
          )}
          <a class="button" href={log}>
            {say.openLog}
          </a>
          {may('resolveFlag') && (
            <button
              type="button"
              class={resolution === null ? 'primary' : undefined}
              aria-busy={resolving.busy.value}
              onClick={() => void resolving.run(flag)}
            >
              {resolution === null ? say.resolve : say.resolveAgain}
            </button>
          )}
        </div>
      </header>
      <ol class="flags-sides" aria-label={say.records(records.length)}>
        {sides.map((side, i) => (
          <li key={side.record.scan_id} class="flags-side">
            <Record side={side} number={i + 1} />
          </li>
        ))}
      </ol>
      {resolution && (
        <p class="flags-outcome">
          <strong>{say.outcomes[resolution.outcome]}</strong>
          {resolution.note && <span>{resolution.note} </span>}
          <span class="quiet">{say.resolvedBy(resolution.actor, words.time.at(resolution.at))}</span>
        </p>
      )}
    </article>
  )
}

function ShopSays({ shop }: { shop: NonNullable<Flag['shop']> }): JSX.Element {
  const { reason, used_at, used_by, done } = shop
  return (
    <p>
      {say.shop.says}: <strong>{say.shop.reasons[reason] ?? say.shop.other(reason)}</strong>.{' '}
      {used_at !== null && `${say.shop.used(words.time.at(used_at), used_by)} `}
      {say.shop.done[done]}
    </p>
  )
}

function Record({ side, number }: { side: Side; number: number }): JSX.Element {
  const { record, gate, afterPrevious, learnedAfter } = side
  const { supervised, undone } = record
  return (
    <>
      <h3>
        {say.record(number)}
        {afterPrevious !== null && (
          <span class="flags-apart">
            {afterPrevious < 1000 ? say.sameMoment : say.between(words.time.duration(afterPrevious))}
          </span>
        )}
      </h3>
      <p class="flags-where">
        {record.checkpoint_name ?? record.checkpoint}
        <span class="flags-gate">
          {[gate, say.direction[record.direction]].filter((part) => part !== null).join(' · ')}
        </span>
      </p>
      <p class={`tag flags-how ${record.offline_admitted ? 'tag-warn' : ''}`}>
        {record.offline_admitted ? say.alone : say.confirmed}
      </p>
      <Facts
        rows={[
          [say.verdict, words.verdict(record.verdict)],
          [say.device, record.device_name ?? record.device],
          ...(record.person_name === undefined ? [] : [[say.heldBy, record.person_name] as const]),
          ...(record.box === undefined ? [] : [[say.box, record.box_name ?? record.box] as const]),
          [say.observed, words.time.at(record.observed_at)],
          [say.learned, learnedWords(learnedAfter)],
        ]}
      />
      {supervised && <p class="flags-override">{say.supervised(supervised.actor, supervised.reason)}</p>}
      {undone && <p class="flags-override">{say.undone(undone.actor, undone.reason)}</p>}
      <details class="flags-clocks">
        <summary>{say.clocks}</summary>
        <Facts
          rows={[
            [say.deviceClock, <code key="device">{record.device_hlc}</code>],
            [say.boxClock, <code key="box">{record.hlc}</code>],
          ]}
        />
      </details>
    </>
  )
}

/** @param after milliseconds between the passage and the moment at which the box learned of it */
function learnedWords(after: number): string {
  const learned = wasLearned(after)
  if (learned === 'at once') return say.learnedAtOnce
  return learned === 'later' ? say.learnedLater(after) : say.learnedBefore(-after)
}

async function resolve(flag: Flag, { model, list: { cases, again, closed } }: Listing): Promise<void> {
  const { askAndAct, live, session } = model
  const { id, kind, ticket_ref, version, resolution } = flag
  await askAndAct(
    {
      title: say.resolveTitle(say.kinds[kind].name),
      text: ticket_ref === null ? say.noTicket : say.ticket(ticket_ref),
      submit: say.resolve,
      fields: [
        {
          name: 'outcome',
          label: say.outcome,
          kind: 'choice',
          required: true,
          ...(resolution && { value: resolution.outcome }),
          options: OUTCOMES.map((value) => ({ value, label: say.outcomes[value] })),
        },
        { name: 'note', label: say.note, kind: 'lines', hint: say.noteHint, value: resolution?.note ?? '' },
      ],
    },
    async ({ outcome = '', note = '' }, actor) => {
      const found = OUTCOMES.find((each) => each === outcome)
      if (!found) throw new Refused('bad_request', 0, say.chooseOutcome)
      const body = { actor, resolution: found, version, ...(note.trim() !== '' && { note: note.trim() }) }
      const asked = session.client.POST('/v1/admin/flags/{id}/resolve', { params: { path: { id } }, body })
      const resolved = await answered(asked).catch((error) => {
        // Somebody was quicker, or another record came in: the list shows it behind the question.
        again()
        throw error
      })
      cases.replace(resolved)
      if (resolution === null) closed()
      live.refresh()
      return say.resolved(say.outcomes[found])
    },
  )
}
