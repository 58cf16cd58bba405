/** A verdict class, small: its colour and its shape. The word stands beside it. */
import { Shape } from '@gatehouse/proto/ui/shape.tsx'
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { JSX } from 'preact'
import './chip.css'

/** @param undone taken back: in no class's colour */
export function Chip({ of, undone = false }: { of: VerdictClass; undone?: boolean | undefined }): JSX.Element {
  return (
    <span class={`chip chip-${undone ? 'undone' : of}`}>
      <Shape of={of} />
    </span>
  )
}
