/** The connected pretix: what comes down from it, what goes up, what waits, and what it says otherwise. */
import '../parts/link.css'
import type { Shop, ShopNotice } from '@gatehouse/proto/wire/shop.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { shopWords as say } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { titles } from '../../words/words.ts'
import { addressOf, countOf } from '../flags/case.ts'
import { Copy, Note, Page, Panel, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { Connect } from './connect.tsx'
import { Down } from './down.tsx'
import { Up } from './up.tsx'

const EVERY_MS = 3_000
const CONFLICTS = { state: 'open', kind: 'shop_conflict' } as const

export function Screen(model: Model): JSX.Element {
  const { client } = model.session
  const { found, problem, read } = useRead(() => answered(client.GET('/v1/admin/shop')))
  useEffect(() => {
    void read()
    const timer = setInterval(() => void read(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const now = model.live.boxNow.value
  const pretix = found.value?.pretix
  return (
    <Page title={titles.shop} lead={say.lead}>
      <Said bad={problem.value} />
      {found.value && !pretix && <NotFollowed model={model} shop={found.value} />}
      {pretix && (
        <>
          <Notices notices={pretix.notices} />
          <div class="link-pair">
            <Down model={model} {...{ pretix, now, read }} />
            <Up model={model} {...{ pretix, now, read }} />
          </div>
          <Conflicts count={countOf(CONFLICTS, model.live.stats.value)} />
        </>
      )}
      {found.value && found.value.follows !== 'database' && model.session.may('connectShop') && (
        <Connecting model={model} isAgain={found.value.follows === 'pretix'} read={read} />
      )}
    </Page>
  )
}

/** Notices: changes in pretix by the organiser that neither tickets nor passages show in time. */
function Notices({ notices }: { notices: readonly ShopNotice[] }): JSX.Element {
  return (
    <>
      {notices.map((notice) => (
        <Note key={`${notice.code} ${notice.list}`} tone="bad">
          {say.notices[notice.code](notice)}
        </Note>
      ))}
    </>
  )
}

/** State of the connected shop, or the reason why the one that is set up is not followed. */
function NotFollowed({ model, shop: { follows, problem, problem_coded } }: { model: Model; shop: Shop }): JSX.Element {
  if (problem !== null) {
    return (
      <Panel title={say.problem}>
        <Note tone="bad">{saidBy(['pretix', 'mapping'], problem_coded, problem)}</Note>
      </Panel>
    )
  }
  if (follows === 'database') {
    return (
      <Panel title={say.database} lead={say.databaseText}>
        <a href="#/hq">{say.openHq}</a>
      </Panel>
    )
  }
  return (
    <Panel title={say.nothing} lead={say.nothingText}>
      <code class="part-code">{say.command}</code>
      <Copy text={say.command} label={say.copy} toasts={model.toasts} />
    </Panel>
  )
}

/** The form stands open where nothing is connected; later it is for another token or another event. */
function Connecting({
  model,
  isAgain,
  read,
}: {
  model: Model
  isAgain: boolean
  read: () => Promise<void>
}): JSX.Element {
  const isOpen = useSignal(!isAgain)
  const done = () => {
    isOpen.value = false
    void read()
  }
  if (isOpen.value) return <Connect model={model} isAgain={isAgain} done={done} />
  return (
    <div class="part-row">
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say.connect.again}
      </button>
    </div>
  )
}

function Conflicts({ count }: { count: number | null }): JSX.Element | null {
  if (count === null) return null
  return (
    <Panel title={say.conflicts}>
      {count === 0 ? <p class="quiet">{say.noConflicts}</p> : <Note tone="bad">{say.someConflicts(count)}</Note>}
      {count > 0 && <a href={addressOf(CONFLICTS)}>{say.openCases}</a>}
    </Panel>
  )
}
