/** The event as a crew will meet it: each gate, its ways, and who passes. */
import type { JSX } from 'preact'
import { guideWords as say } from '../../words/late.ts'
import { Panel } from '../parts/parts.tsx'
import { idsIn, type Json, listOf, type Section, textOf } from './draft.ts'

export function Preview({ event }: { event: Json }): JSX.Element {
  const nameOf = (section: Section, id: unknown) =>
    textOf(listOf(event, section).find((one) => one.id === id) ?? {}, 'name') || String(id)
  const zone = (id: unknown) => (typeof id === 'string' ? nameOf('zones', id) : say.checkpoints.outside)
  const ways = listOf(event, 'checkpoints')
  return (
    <Panel title={say.preview.title}>
      <ul class="guide-preview">
        {listOf(event, 'gates').map((gate, i) => (
          <li key={i}>
            <strong>{textOf(gate, 'name')}</strong>
            <ul>
              {ways
                .filter((way) => way.gate === gate.id)
                .map((way, at) => (
                  <li key={at}>
                    {textOf(way, 'name')}: {say.preview.way(zone(way.from), zone(way.to))},{' '}
                    <span class="quiet">
                      {idsIn(way.tiers)
                        .map((id) => nameOf('tiers', id))
                        .join(', ') || say.preview.nobody}
                    </span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
