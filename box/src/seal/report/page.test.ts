import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawReport } from './page.ts'
import type { Report } from './shape.ts'

const AT = '2026-07-17T18:00:00.000Z'
const SEAL = {
  checkpoint: 'gatehouse/f/b\n2\nAAAA\n\n— gatehouse/f/b BBBB\n',
  verifierKey: 'gatehouse/f/b+00000000+CCCC',
}

/** Every text is the same hostile one. */
function reportWith(text: string, more: Partial<Report> = {}): Report {
  return {
    format: 'gatehouse/attendance-report/v1',
    origin: text,
    software: text,
    made_at: AT,
    box: text,
    event: { id: text, name: text, timezone: 'Europe/Lisbon', starts_at: AT, ends_at: AT },
    entries: 2,
    from: AT,
    until: AT,
    kinds: { scan: 2 },
    verdicts: { [text]: 1 },
    people: { arrived: 1234, left: 4, inside: 1230, tickets: 900, without_ticket: 1 },
    offline: { in: 5, out: 6 },
    devices: { enrolled: 3, revoked: 1 },
    zones: [{ id: 'z', name: text, capacity: 10, in: 1, out: 2, inside: -1 }],
    tiers: [{ id: 't', name: text, tickets: 1, admissions: 2 }],
    gates: [{ id: 'g', name: text, in: 1, out: 2, verdicts: { ADMIT: 3 } }],
    checkpoints: [{ id: 'c', name: text, gate: 'g', direction: 'in', people: 1, verdicts: {} }],
    hours: [
      { from: '2026-07-17T18:00+01:00', in: 10, out: 2, tickets: 9 },
      { from: '2026-07-17T19:00+01:00', in: -1, out: 0, tickets: 0 },
    ],
    flags: [
      {
        flag: 'f',
        kind: text,
        opened_at: AT,
        ticket: text,
        scans: ['1', '2'],
        state: 'resolved',
        resolutions: [{ resolution: text, actor: text, at: AT }],
      },
    ],
    overrides: [
      {
        kind: 'undo' as const,
        at: AT,
        actor: text,
        reason: text,
        device: text,
        checkpoint: text,
        ticket: text,
        scan_id: text,
      },
    ],
    incidents: [
      {
        incident: 'i',
        kind: text,
        state: text,
        checkpoint: text,
        gate: text,
        device: text,
        reported_at: AT,
        acknowledged_after: 61,
        resolved_after: 3725,
        actions: [{ action: text, actor: text, reason: text, at: AT }],
      },
    ],
    holds: [{ hold: 'h', gate: text, actor: text, reason: text, placed_at: AT, expires_at: AT }],
    modes: [{ mode: text, from: AT, actor: text, reason: text }],
    seals: [{ size: 2, root: 'AAAA', at: AT }],
    ...more,
  }
}

/** Every element is closed, in order. */
function assertNested(page: string): void {
  const open: string[] = []
  for (const [tag, closing, name = '', itself] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/g)) {
    if (itself || ['meta', 'br'].includes(name)) continue
    if (closing) assert.equal(open.pop(), name, tag)
    else open.push(name)
  }
  assert.deepEqual(open, [])
}

const MESH = (text: string): NonNullable<Report['mesh']> => ({
  provisional: 17,
  boxes: [
    {
      box: text,
      key: text,
      entries: 40,
      seals: [{ size: 40, root: 'BBBB', at: AT }],
      modes: [
        { mode: 'STRICT', from: AT },
        { mode: 'DEGRADED', from: AT, until: '2026-07-17T18:20:00.000Z', actor: text, reason: text },
      ],
    },
  ],
  double_uses: [
    {
      flag: 'f-1',
      order: 'certain',
      records: [
        { scan_id: 's1', box: text, checkpoint: text, at: AT, confidence: 'confirmed' },
        { scan_id: 's2', box: 'box-9', checkpoint: 'b-in', at: AT, confidence: 'provisional' },
      ],
    },
    { flag: 'f-2', order: 'uncertain', records: [] },
  ],
  cosigned: [{ box: text, witness: 'box-9', size: 38 }],
})

describe('the printed report', () => {
  it('says of several boxes who took part, when each was alone, and what is certain', async () => {
    const page = await drawReport(reportWith('north', { mesh: MESH('south') }), SEAL)
    assertNested(page)
    assert.match(page, /<h2>Boxes<\/h2>\n<p class="small">2 boxes took part/)
    assert.match(page, /south<\/td><td class="number">40<\/td><td class="number">40<\/td>.*box-9, 38 entries/)
    assert.match(page, /south<\/td><td class="text">2026-07-17 19:00:00<\/td><td class="text">2026-07-17 19:20:00/)
    assert.match(page, /17 people passed whom no other\nbox had been asked about/)
    assert.match(page, /f-1<\/td><td class="text">south, south<\/td>.*south, confirmed<br>.*box-9, provisional<br>/)
    assert.match(page, /Of 1\nnobody can tell who was first/)
    assert.doesNotMatch(page, /NaN|undefined|\[object/)
    const hostile = await drawReport(reportWith('x', { mesh: MESH('<script>') }), SEAL)
    assert.doesNotMatch(hostile, /<script/)
    assertNested(hostile)
    assert.doesNotMatch(await drawReport(reportWith('alone'), SEAL), /<h2>Boxes/)
  })

  it('shows every text as text, wherever it stands', async () => {
    const page = await drawReport(reportWith(`</td><script>alert("x")</script><img src='x' onerror=y>&`), SEAL)
    assert.doesNotMatch(page, /<script|<img/)
    assert.ok(page.split('&lt;/td&gt;&lt;script&gt;alert(&quot;x&quot;)').length > 25)
    assertNested(page)
  })

  it('is one document with everything in it, and nothing to load', async () => {
    const page = await drawReport(reportWith('Fair'), SEAL)
    assert.match(page, /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/)
    assert.doesNotMatch(page, /<link|src=|url\(|@import|href=/)
    assert.match(page, /@page { size: A4/)
    assert.match(page, /<b>1234<\/b>people came in from outside/)
    assert.match(page, /<pre>gatehouse\/f\/b\n2\nAAAA\n\n— gatehouse\/f\/b BBBB\n<\/pre>/)
    assert.match(page, /<pre>gatehouse\/f\/b\+00000000\+CCCC<\/pre>/)
    assert.match(page, /<div class="qr"><svg /)
    assert.match(page, /61 s.*62 min 5 s/s)
    assert.match(page, /2026-07-17 19:00:00/, 'the clock of the event')
    assert.doesNotMatch(page, /NaN|undefined|null|\[object/)
  })

  it('stays a page when there was nothing, or very much', async () => {
    const empty = { flags: [], overrides: [], incidents: [], holds: [], hours: [], zones: [], gates: [], tiers: [] }
    const page = await drawReport(reportWith('Fair', empty), SEAL)
    assert.match(page, /<h2>Flags<\/h2>\n<p class="small">None\.<\/p>/)
    assertNested(page)
    const [hour] = reportWith('').hours
    const hours = Array.from({ length: 500 }, () => ({
      from: '2026-07-17T18:00+01:00',
      in: 1,
      out: 1,
      tickets: 1,
      ...hour,
    }))
    const long = await drawReport(reportWith('Fair', { hours }), SEAL)
    assert.match(long, /And 300 more, in the export\./)
  })

  it('is in UTC where the machine does not know the event’s time zone', async () => {
    const event = { id: 'f', name: 'Fair', timezone: 'Mars/Olympus', starts_at: AT, ends_at: AT }
    assert.match(await drawReport(reportWith('Fair', { event }), SEAL), /2026-07-17 18:00:00/)
  })
})
