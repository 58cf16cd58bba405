/** The wall: numbers first, what is wrong before what is right. */
import '../../widgets/panel.css'
import './overview.css'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { ComponentChildren, JSX } from 'preact'
import type { Live } from '../../live/live.ts'
import { mixOf } from '../../live/mix.ts'
import { troubles } from '../../live/scanners.ts'
import { isOver } from '../../live/state.ts'
import type { Model } from '../../model.ts'
import { Lazy } from '../../shell/lazy.tsx'
import { MixBar, MixLegend } from '../../widgets/mix.tsx'
import { Sparkline } from '../../widgets/spark.tsx'
import { ZoneFigure } from '../../widgets/zone.tsx'
import { liveWords } from '../../words/late.ts'
import { ageWords, count, percent, rate } from '../../words/time.ts'
import { words } from '../../words/words.ts'

const say = liveWords.overview

export function Screen(model: Model): JSX.Element {
  const { live, session } = model
  const now = live.stats.value
  if (!now) return <p class="overview-waiting quiet">{say.waiting}</p>
  return (
    <div class="overview">
      <h1 class="visually-hidden">{words.screens.overview}</h1>
      {session.may('eventDraft') && (
        <Lazy quiet load={() => import('../guide/greeting.tsx').then(({ Greeting }) => Greeting)} given={model} />
      )}
      <Figures now={now} live={live} />
      <Zones now={now} live={live} />
      <Gates now={now} />
      {session.may('occupancy') && (
        <Lazy
          quiet
          load={() => import('./occupancy-panel.tsx').then(({ OccupancyPanel }) => OccupancyPanel)}
          given={model}
        />
      )}
      <Turnout now={now} />
      <Answers now={now} />
      <Behind now={now} live={live} />
    </div>
  )
}

interface Now {
  now: Stats
}

function Figures({ now, live: { incidents, incidentsKnown } }: Now & { live: Live }): JSX.Element {
  const inside = now.zones.reduce((sum, { occupancy }) => sum + occupancy, 0)
  const perMinute = now.gates.reduce((sum, gate) => sum + gate.per_minute, 0)
  const open = incidents.value.filter((one) => !isOver(one))
  const unseen = now.incidents.open
  return (
    <section class="overview-figures" aria-label={say.figures}>
      <dl>
        <Figure name={say.inside} value={count(inside)} />
        <Figure name={say.rate} value={rate(perMinute)} unit={say.perMinute} />
        <Figure
          name={say.admitted}
          value={count(now.admitted)}
          unit={say.ofTickets(count(now.tickets), percent(now.admitted, now.tickets))}
        />
        <Figure name={say.exits} value={count(now.exits)} />
        <Figure
          name={words.screens.incidents}
          href="#/incidents"
          value={incidentsKnown.value ? count(open.length) : count(unseen + now.incidents.acknowledged)}
          unit={unseen > 0 ? say.unseen(unseen) : say.allSeen}
          tone={unseen > 0 ? 'bad' : undefined}
        />
        <Figure
          name={say.flags}
          href="#/flags"
          value={count(now.flags)}
          unit={say.open(now.flags)}
          tone={now.flags > 0 ? 'warn' : undefined}
        />
      </dl>
    </section>
  )
}

interface FigureProps {
  name: string
  value: string
  unit?: string
  href?: string
  tone?: 'bad' | 'warn' | undefined
}

function Figure({ name, value, unit, href, tone }: FigureProps): JSX.Element {
  return (
    <div class="overview-figure" data-tone={tone}>
      <dt>{href ? <a href={href}>{name}</a> : name}</dt>
      <dd>
        <b>{value}</b> {unit && <span class="overview-unit">{unit}</span>}
      </dd>
    </div>
  )
}

interface PanelProps {
  name: string
  href?: string
  area: string
  children: ComponentChildren
}

function Panel({ name, href, area, children }: PanelProps): JSX.Element {
  return (
    <section class={`overview-panel overview-${area}`} aria-labelledby={`overview-${area}`}>
      <h2 id={`overview-${area}`}>{href ? <a href={href}>{name}</a> : name}</h2>
      {children}
    </section>
  )
}

function Zones({ now, live: { trendIn } }: Now & { live: Live }): JSX.Element {
  return (
    <Panel area="zones" name={say.zones} href="#/map">
      <ul class="overview-list">
        {now.zones.map((zone) => (
          <li key={zone.id}>
            <ZoneFigure zone={zone} trend={trendIn(zone)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Gates({ now }: Now): JSX.Element {
  const most = Math.max(1, ...now.gates.flatMap(({ sparkline }) => sparkline))
  return (
    <Panel area="gates" name={words.screens.gates} href="#/gates">
      <ul class="overview-list">
        {now.gates.map((gate) => (
          <li key={gate.id} class="overview-gate">
            <div class="overview-gate-name">
              <b>{gate.name}</b>
              {gate.hold && <span class="tag tag-bad">{liveWords.gates.held}</span>}
            </div>
            <Sparkline values={gate.sparkline} most={most} label={liveWords.gates.lastHour(gate.name)} />
            <p class="overview-gate-rate">
              <b>{rate(gate.per_minute)}</b> <span class="quiet">{say.perMinute}</span>
            </p>
            <MixBar verdicts={gate.verdicts} label={liveWords.gates.answersAt(gate.name)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Turnout({ now }: Now): JSX.Element {
  return (
    <Panel area="turnout" name={say.turnout}>
      <ul class="overview-list">
        {now.tiers.map((tier) => (
          <li key={tier.id} class="overview-tier">
            <span class="overview-tier-name">{tier.name}</span>
            <span>
              <b>{count(tier.admitted)}</b> {say.of} {count(tier.sold)}
            </span>
            <span>{percent(tier.admitted, tier.sold)}</span>
            <span class="overview-share" aria-hidden="true">
              <i style={{ width: `${Math.min(100, (tier.admitted / Math.max(1, tier.sold)) * 100)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Answers({ now }: Now): JSX.Element {
  const mix = mixOf(now.verdicts)
  return (
    <Panel area="answers" name={say.answers}>
      {mix.scans === 0 ? (
        <p class="quiet">{liveWords.nothingYet}</p>
      ) : (
        <>
          <MixBar verdicts={now.verdicts} label={say.answers} />
          <MixLegend mix={mix} />
        </>
      )}
      <p class="overview-asides quiet">
        {say.alone(now.offline)} · {say.supervised(now.supervised)} · {say.undone(now.undone)}
      </p>
    </Panel>
  )
}

/** The state behind the figures: scanners, answers to calls, the record, and the way to other boxes. */
function Behind({ now, live: { boxNow } }: Now & { live: Live }): JSX.Element {
  const { live, quiet, lost, unsent } = troubles(now.scanners)
  const { median_ack_seconds: ack, median_resolve_seconds: resolve } = now.response
  const { at, size, refusal, contradicted } = now.seal
  return (
    <Panel area="behind" name={say.behind}>
      <dl class="overview-facts">
        <div>
          <dt>
            <a href="#/scanners">{words.screens.scanners}</a>
          </dt>
          <dd>
            {say.scanners(live, quiet, lost)}
            {lost > 0 && <span class="tag tag-bad">{say.lost(lost)}</span>}
          </dd>
        </div>
        <div>
          <dt>{say.unsent}</dt>
          <dd>
            {unsent.scans === 0 ? (
              say.nothingUnsent
            ) : (
              <>
                <b>{count(unsent.scans)}</b> {unsent.names.slice(0, 3).join(', ')}
                {unsent.names.length > 3 && ` +${unsent.names.length - 3}`}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{say.response}</dt>
          <dd>
            {say.median(ack === null ? '–' : ageWords(ack * 1000), resolve === null ? '–' : ageWords(resolve * 1000))}
          </dd>
        </div>
        <div>
          <dt>{say.seal}</dt>
          <dd>
            {at === null ? say.unsealed : say.sealed(ageWords(boxNow.value - Date.parse(at)), count(size))}
            {refusal && <span class="tag tag-bad">{say.sealStopped}</span>}
            {contradicted && (
              <a class="tag tag-bad" href="#/boxes">
                {say.sealContradicted}
              </a>
            )}
          </dd>
        </div>
        {now.wrong_tokens && <WrongTokens title={say.wrongTokens} seen={now.wrong_tokens} boxNow={boxNow.value} />}
        {now.failed_sign_ins && (
          <WrongTokens title={say.failedSignIns} seen={now.failed_sign_ins} boxNow={boxNow.value} />
        )}
        {now.shop && <Shop shop={now.shop} />}
      </dl>
    </Panel>
  )
}

interface WrongTokensProps {
  title: string
  seen: NonNullable<Stats['wrong_tokens']>
  boxNow: number
}

function WrongTokens({ title, seen, boxNow }: WrongTokensProps): JSX.Element {
  const { count: n, last_at, last_address } = seen
  return (
    <div>
      <dt>{title}</dt>
      <dd>{say.wrongTokensSeen(count(n), ageWords(boxNow - Date.parse(last_at)), last_address)}</dd>
    </div>
  )
}

function Shop({ shop }: { shop: NonNullable<Stats['shop']> }): JSX.Element {
  return (
    <div>
      <dt>
        <a href="#/hq">{say.shop}</a>
      </dt>
      <dd>
        {shop.connected ? say.shopThere : say.shopAway}
        {shop.problems > 0 && <span class="tag tag-bad">{say.shopProblems(shop.problems)}</span>}
      </dd>
    </div>
  )
}
