/** A sheet of paper for each gate: an invite for every phone there, how a phone comes to trust the box, and what to do when it fails. */
import '../parts/printed.css'
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { readyWords, actionWords as words } from '../../words/late.ts'
import { Note, Panel, Run, Said, Select } from '../parts/parts.tsx'
import { EXPIRIES, fingerprintIn, hostOfOwn, linkOf, nameOnSheet } from '../scanners/invite.ts'
import { eventTime } from './event-time.ts'

const say = readyWords.sheets
const PHONES = ['1', '2', '3', '4'] as const

interface Sheet {
  gate: Stats['gates'][number]
  links: readonly string[]
  /** Of the authority that phones have to be told to trust; null where they trust the box anyway. */
  fingerprint: string | null
  expiresAt: string
}

export function Sheets({ model }: { model: Model }): JSX.Element {
  const phones = useSignal<(typeof PHONES)[number]>('1')
  const seconds = useSignal<number>(EXPIRIES[3])
  const sheets = useSignal<readonly Sheet[]>([])
  const making = useAttempt(async () => {
    const actor = await model.session.withActor()
    const gates = model.live.stats.value?.gates.filter(({ checkpoints }) => checkpoints.length > 0) ?? []
    const made: Sheet[] = []
    for (const gate of gates)
      made.push(await sheetOf(gate, { count: Number(phones.value), seconds: seconds.value, actor }, model))
    sheets.value = made
  })
  const { value } = sheets
  const stats = model.live.stats.value
  return (
    <Panel title={say.title} lead={say.lead} class="printed-panel">
      <Select
        label={say.phones}
        value={phones.value}
        set={(n) => (phones.value = n)}
        options={PHONES.map((n) => ({ value: n, label: n }))}
      />
      <Select
        label={words.devices.expiry}
        value={String(seconds.value)}
        set={(each) => (seconds.value = Number(each))}
        options={EXPIRIES.map((each) => ({ value: String(each), label: words.time.duration(each * 1000) }))}
      />
      <div class="part-row">
        <Run work={making} class="primary part-main">
          {say.make}
        </Run>
        {value.length > 0 && (
          <button type="button" class="part-main" onClick={() => print()}>
            {say.print}
          </button>
        )}
      </div>
      <Said bad={making.problem.value} />
      {value.length > 0 && <p class="quiet">{say.leave}</p>}
      {value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls sideways, by keyboard too
        <section class="printed" aria-label={say.paper} tabIndex={0}>
          {value.map((sheet) => (
            <Page key={sheet.gate.id} sheet={sheet} event={stats?.event_name ?? ''} zone={stats?.time_zone} />
          ))}
        </section>
      )}
    </Panel>
  )
}

async function sheetOf(
  gate: Sheet['gate'],
  { count, seconds, actor }: { count: number; seconds: number; actor: string },
  { session: { client } }: Model,
): Promise<Sheet> {
  const checkpoints = gate.checkpoints.map(({ id }) => id)
  const links: string[] = []
  let [expiresAt, fingerprint]: [string, string | null] = ['', null]
  for (let n = 0; n < count; n++) {
    // Otherwise each is called what the phone calls itself, which is "Phone".
    const name = nameOnSheet(gate.name, n, count)
    const body = { checkpoints, name, actor, expires_in_seconds: seconds }
    const invite = await answered(client.POST('/v1/admin/invite', { body }))
    links.push(linkOf(invite))
    expiresAt = invite.expires_at
    fingerprint = invite.trust_link === null ? null : fingerprintIn(invite.qr_payload)
  }
  return { gate, links, fingerprint, expiresAt }
}

interface PageProps {
  sheet: Sheet
  event: string
  zone: string | undefined
}

function Page({ sheet: { gate, links, fingerprint, expiresAt }, event, zone }: PageProps): JSX.Element {
  const own = hostOfOwn(links[0] ?? location.origin)
  return (
    <article class="ready-sheet">
      <h3>{say.heading(gate.name)}</h3>
      <p>
        {event}. {say.until(eventTime(expiresAt, zone, 'day'))}
      </p>
      {own !== null && <Note tone="bad">{words.devices.shown.own(own)}</Note>}
      <ol>
        <li>{say.network(location.host)}</li>
        <li>{say.scan}</li>
        {fingerprint !== null && (
          <li>
            {say.trust}
            <ul>
              <li>{say.iphone}</li>
              <li>{say.android}</li>
              <li>
                {say.fingerprint} <code class="ready-fingerprint">{fingerprint}</code>
              </li>
            </ul>
          </li>
        )}
      </ol>
      <div class="ready-codes">
        {links.map((link, i) => (
          <figure key={link}>
            <Qr class="ready-qr" text={link} label={say.label(gate.name, i + 1)} />
            <figcaption>{say.phone(i + 1)}</figcaption>
          </figure>
        ))}
      </div>
      <h4>{say.fails}</h4>
      <ul>
        {say.failing.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </article>
  )
}
