/** Draws people and capacity over time on a canvas, by uPlot: axes in the page's colours, times in the event's time zone. */
import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { speech } from '../../words/words.ts'
import type { Points } from './occupancy.ts'

export interface Chart extends Disposable {
  show(points: Points): void
}

interface ChartWords {
  time: string
  people: string
  capacity: string
}

const HEIGHT = 220
const DASHES = [6, 4]

/** @param into is filled, and followed as its width changes @param timeZone IANA */
export function openChart(into: HTMLElement, timeZone: string, say: ChartWords): Chart {
  const colour = (name: string) => () => getComputedStyle(into).getPropertyValue(name).trim()
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } }
  const clock = (seconds: number) => speech.time(seconds * 1000, { hour: '2-digit', minute: '2-digit', timeZone })
  const number = (_: unknown, value: number | null) => (value === null ? '–' : speech.number(value))
  const plot = new UPlot(
    {
      width: Math.max(1, into.clientWidth),
      height: HEIGHT,
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timeZone),
      // Zero is always seen, and so is the capacity once it is near.
      scales: { y: { range: (_, __, most) => [0, Math.max(10, most * 1.05)] } },
      axes: [
        { ...axis, values: (_, at) => at.map(clock) },
        { ...axis, size: 60, values: (_, at) => at.map((people) => speech.number(people)) },
      ],
      series: [
        { label: say.time, value: (_, seconds) => (seconds === null ? '–' : clock(seconds)) },
        { label: say.people, stroke: colour('--accent'), width: 2, value: number, points: { show: false } },
        { label: say.capacity, stroke: colour('--ink'), dash: DASHES, value: number, points: { show: false } },
      ],
    },
    [[], [], []],
    into,
  )
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(1, into.clientWidth), height: HEIGHT }))
  observer.observe(into)
  const repaint = () => plot.redraw(false)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', repaint)
  // The choice of a theme is an attribute of the page.
  const theme = new MutationObserver(repaint)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return {
    show: ({ times, people, capacity }) => plot.setData([times, people, times.map(() => capacity)]),
    [Symbol.dispose]() {
      observer.disconnect()
      theme.disconnect()
      dark.removeEventListener('change', repaint)
      plot.destroy()
    },
  }
}
