/** The vertices of the network of paths: which drawn points are one. */
import { distance, NOISE, type Point } from './grid.ts'

export interface Vertex {
  readonly point: Point
  readonly level: number
}

/** A point within the tolerance of an earlier vertex of its floor is merged with it, except that named nodes stay apart. */
export class VertexIndex {
  readonly vertices: Vertex[] = []
  readonly #tolerance: number
  readonly #size: number
  readonly #cells = new Map<string, number[]>()

  constructor(pins: readonly Vertex[], tolerance: number) {
    this.#tolerance = tolerance
    this.#size = Math.max(1, tolerance)
    for (const { point, level } of pins) this.#register(this.add(point, level))
  }

  /** Adds a vertex that no other point is merged with. */
  add(point: Point, level: number): number {
    return this.vertices.push({ point, level }) - 1
  }

  /** Adds vertices for points, by floor and from west to east, so that the order in the file makes no difference. */
  settle(points: readonly Vertex[]): void {
    const sorted = [...points].sort((a, b) => a.level - b.level || a.point.x - b.point.x || a.point.y - b.point.y)
    for (const { point, level } of sorted) {
      if (this.nearest(point, level).length === 0) this.#register(this.add(point, level))
    }
  }

  /** The vertices within the tolerance that are nearest, the one settled first before others that are as near but for noise. */
  nearest(point: Point, level: number): number[] {
    const found: { vertex: number; away: number }[] = []
    const [column, row] = [Math.floor(point.x / this.#size), Math.floor(point.y / this.#size)]
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        for (const vertex of this.#cells.get(`${level} ${i} ${j}`) ?? []) {
          const away = distance(this.vertices[vertex]?.point ?? point, point)
          if (away <= this.#tolerance) found.push({ vertex, away })
        }
      }
    }
    found.sort((a, b) => a.away - b.away || a.vertex - b.vertex)
    const most = (found[0]?.away ?? 0) + NOISE
    return found.filter(({ away }) => away <= most).map(({ vertex }) => vertex)
  }

  #register(vertex: number): void {
    const { point, level } = this.vertices[vertex] ?? { point: { x: 0, y: 0 }, level: 0 }
    const key = `${level} ${Math.floor(point.x / this.#size)} ${Math.floor(point.y / this.#size)}`
    const cell = this.#cells.get(key)
    if (cell) cell.push(vertex)
    else this.#cells.set(key, [vertex])
  }
}
