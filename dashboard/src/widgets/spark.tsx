import './spark.css'
import type { JSX } from 'preact'
import { sparkOf } from './spark-path.ts'

interface SparklineProps {
  values: readonly number[]
  label: string
  most?: number
}

/** @param label says in words what the line shows. @param most one scale for lines that stand side by side */
export function Sparkline({ values, label, most }: SparklineProps): JSX.Element {
  const { line, area } = sparkOf(values, 120, 28, most)
  return (
    <svg class="spark" viewBox="0 -2 120 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="spark-area" d={area} />
      <path class="spark-line" d={line} />
    </svg>
  )
}
