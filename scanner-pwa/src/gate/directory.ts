/**
 * The event's other boxes, as signed manifests have named them. Each box names all but itself, so that what home has said is
 * kept while another one is asked: it is where the phone goes on when it was switched off and on again meanwhile.
 */
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { KnownBox } from '../model.ts'
import { type Database, type Kept, keep, readKept, write } from './database.ts'

export interface DirectoryDeps {
  db: Database
  /** Origins: of the box that this scanner was paired with, and of this page. */
  home: string
  page: string
  /** Origins that the page's policy lets it ask beside its own; undefined where there is no telling. */
  mayAsk: Promise<readonly string[] | undefined>
}

/** What is read of a manifest. */
export interface Naming {
  origin: string
  box: string
  boxes: readonly OtherBox[]
}

export class Directory {
  readonly #deps: DirectoryDeps
  readonly #kept
  readonly #mayAsk = signal<readonly string[] | undefined>(undefined)
  readonly known: ReadonlySignal<readonly KnownBox[]>
  /** Those of them that this page may ask. */
  readonly open: ReadonlySignal<readonly KnownBox[]>

  private constructor(deps: DirectoryDeps, kept: Kept['boxes']) {
    this.#deps = deps
    this.#kept = signal(kept)
    void deps.mayAsk.then((origins) => {
      this.#mayAsk.value = origins
    })
    this.known = computed(() =>
      this.#kept.value.others.flatMap(({ name, url }) => {
        const origin = originOf(url)
        const open = origin === deps.page || (this.#mayAsk.value?.includes(origin ?? '') ?? true)
        return origin === undefined || origin === deps.home ? [] : { name, origin, open }
      }),
    )
    this.open = computed(() => this.known.value.filter(({ open }) => open))
  }

  static async open(deps: DirectoryDeps): Promise<Directory> {
    return new Directory(deps, (await readKept(deps.db, 'boxes')) ?? { home: undefined, others: [] })
  }

  nameOf(origin: string): string {
    return this.known.value.find((box) => box.origin === origin)?.name ?? new URL(origin).host
  }

  learn(manifest: Naming): void {
    const before = this.#kept.peek()
    const next = learnt(before, manifest, this.#deps.home)
    if (JSON.stringify(next) === JSON.stringify(before)) return
    this.#kept.value = next
    void write(this.#deps.db, [keep('boxes', next)]).catch(() => {})
  }
}

/** Home's own list counts as it is; another box's adds to it what home has not named. */
export function learnt(before: Kept['boxes'], { origin, box, boxes }: Naming, home: string): Kept['boxes'] {
  // How long it is unheard changes by the second, and is none of an address.
  const named = boxes.map((each) => ({ ...each, unheard_seconds: null }))
  if (origin === home) return { home: box, others: named }
  const isNamed = (id: string) => named.some(({ box_id }) => box_id === id)
  return {
    home: before.home,
    others: [
      ...named.filter(({ box_id }) => box_id !== before.home),
      ...before.others.filter(({ box_id }) => !isNamed(box_id)),
    ],
  }
}

/** `https://host:port`; undefined for an address that no page of ours would ask. */
export function originOf(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' ? parsed.origin : undefined
}
