import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { INCIDENT_KINDS, type Incident } from '@gatehouse/proto/wire/incidents.ts'
import fc from 'fast-check'
import { Control } from '../../test/world/control.ts'
import { type Alert, Alerts, alertsBy, nextAlert, realertMs } from './alerts.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

describe('an incident that nobody acknowledges', () => {
  it('is said again after as long as its kind allows', () => {
    const seconds = INCIDENT_KINDS.map((kind) => [kind, realertMs(kind, {}) / 1000])
    assert.deepEqual(Object.fromEntries(seconds), {
      crush: 15,
      fire: 15,
      medical: 30,
      need_staff: 120,
      security: 120,
      lost_child: 120,
      access: 120,
      equipment: 120,
    })
    const event = { incidents: { realert_seconds: { crush: 5, access: 600 } } }
    assert.deepEqual(
      (['crush', 'access', 'fire'] as const).map((kind) => realertMs(kind, event)),
      [5000, 600_000, 15_000],
    )
  })

  it('is said again at every full interval, and counted', () => {
    const said: [number, number][] = []
    let last: Alert = { n: 0, at: 0 }
    for (let now = 0; now <= 61_000; now += 500) {
      const alert = nextAlert(last, now, 15_000)
      if (!alert) continue
      last = alert
      said.push([now, alert.n])
    }
    assert.deepEqual(said, [
      [15_000, 1],
      [30_000, 2],
      [45_000, 3],
      [60_000, 4],
    ])
  })

  it('is said once for everything that was missed, and at once after a clock was set back', () => {
    assert.deepEqual(nextAlert({ n: 2, at: 30_000 }, 3_600_000, 15_000), { n: 3, at: 3_600_000 })
    assert.deepEqual(nextAlert({ n: 2, at: 3_600_000 }, 0, 15_000), { n: 3, at: 0 })
    assert.equal(nextAlert({ n: 3, at: 0 }, 14_999, 15_000), undefined)
  })

  it('goes on after a restart where it was', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 5000, max: 600_000 }), (waited, every) => {
        let last: Alert = { n: 0, at: NOON }
        for (let now = NOON; now <= NOON + waited; now += every) last = nextAlert(last, now, every) ?? last
        assert.deepEqual(alertsBy(NOON + waited, NOON, every), last)
        assert.equal(nextAlert(last, NOON + waited, every), undefined)
      }),
    )
    assert.deepEqual(alertsBy(NOON - 5000, NOON, 15_000), { n: 0, at: NOON })
  })
})

describe('alerts', () => {
  /** A control room with alerts that are looked at by hand. */
  async function open(t: TestContext) {
    // The timer would look by itself.
    t.mock.timers.enable({ apis: ['setInterval'] })
    const control = await Control.open({ now: NOON })
    const said: [string, number | undefined][] = []
    const alerts = () =>
      new Alerts({
        event: control.desk.event,
        ledger: control.desk.deps.ledger,
        now: () => control.desk.now,
        send: ({ kind, alert }: Incident) => said.push([kind, alert]),
      })
    t.after(() => control[Symbol.dispose]())
    const after = (using: Alerts, ms: number) => {
      control.desk.now += ms
      using.sendDue()
      return said.splice(0)
    }
    return { control, alerts, after }
  }

  it('are said of what is open, emergencies first, until somebody acknowledges', async (t) => {
    const { control, alerts, after } = await open(t)
    using looking = alerts()
    await control.report({ incident_id: 'i-1', kind: 'need_staff' })
    await control.report({ incident_id: 'i-2', kind: 'crush' })
    assert.deepEqual(after(looking, 14_999), [])
    assert.deepEqual(after(looking, 1), [['crush', 1]])
    assert.deepEqual(after(looking, 105_000), [
      ['crush', 2],
      ['need_staff', 1],
    ])
    await control.act('i-2', { action: 'acknowledge' })
    assert.deepEqual(after(looking, 120_000), [['need_staff', 2]])
    await control.act('i-1', { action: 'cancel', reason: 'drill' })
    assert.deepEqual(after(looking, 3_600_000), [])
  })

  it('go on after a restart, by what the ledger has open', async (t) => {
    const { control, alerts, after } = await open(t)
    await control.report({ incident_id: 'i-1', kind: 'fire' })
    await control.report({ incident_id: 'i-2', kind: 'fire' })
    await control.act('i-2', { action: 'resolve' })
    control.desk.now += 40_000
    control.desk.restart()
    using looking = alerts()
    assert.deepEqual(after(looking, 4999), [])
    assert.deepEqual(after(looking, 1), [['fire', 3]])
  })

  it('are looked for every second', async (t) => {
    const { control, alerts } = await open(t)
    await control.report({ incident_id: 'i-1', kind: 'crush' })
    using looking = alerts()
    const look = t.mock.method(looking, 'sendDue')
    t.mock.timers.tick(3000)
    assert.equal(look.mock.callCount(), 3)
  })
})
