/** A camera for every engine: a canvas that moves, in place of the one that the page would ask the system for. */
import { encode } from 'uqr'
import type { Tab } from './tab.ts'

interface Shown extends Window {
  /** Rows of a code's modules; none for an empty lane. */
  shown?: readonly (readonly boolean[])[]
}

/** From now until the page is loaded anew. */
export async function giveCamera(tab: Tab): Promise<void> {
  await tab.run(() => {
    const [width, height] = [640, 480]
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    let frame = 0
    setInterval(() => {
      const shade = 90 + (frame++ % 8)
      context.fillStyle = `rgb(${shade} ${shade} ${shade})`
      context.fillRect(0, 0, width, height)
      const rows = (window as Shown).shown ?? []
      const size = Math.floor(330 / (rows.length + 8))
      const side = size * (rows.length + 8)
      context.save()
      context.translate(width / 2, height / 2)
      context.rotate(0.09)
      context.fillStyle = 'white'
      if (rows.length > 0) context.fillRect(-side / 2, -side / 2, side, side)
      context.fillStyle = 'black'
      for (const [y, row] of rows.entries())
        for (const [x, dark] of row.entries())
          if (dark) context.fillRect((x + 4) * size - side / 2, (y + 4) * size - side / 2, size, size)
      context.restore()
    }, 50)
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
  })
}

/** @param code null: an empty lane */
export async function show(tab: Tab, code: string | null): Promise<void> {
  const rows = code === null ? [] : encode(code, { ecc: 'M', border: 0 }).data
  await tab.run((shown) => {
    ;(window as Shown).shown = shown
  }, rows)
}
