/**
 * The event's other boxes, as signed manifests name them. A manifest names all boxes except its own, so the list of home is kept
 * while another box is active: a phone that is switched off and on again meanwhile needs it to find that box again.
 */
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { KnownBox } from '../gate/model.ts'
import { type Database, type Kept, keep, readKept, writeLater } from '../store/database.ts'

export interface DirectoryDeps {
  db: Database
  /** Origin of the box that this scanner was paired with. */
  home: string
  /** Origin of this page. */
  page: string
  /** Origins that the page's policy allows beside its own; undefined where that is not known. */
  mayAsk: Promise<readonly string[] | undefined>
}

/** The fields of a manifest that name boxes. */
export interface ManifestBoxes {
  origin: string
  box: string
  boxes: readonly OtherBox[]
}

export class Directory {
  readonly #deps: DirectoryDeps
  readonly #kept
  readonly #mayAsk = signal<readonly string[] | undefined>(undefined)
  readonly known: ReadonlySignal<readonly KnownBox[]>
  /** The known boxes that this page may ask. */
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

  takeFrom(manifest: ManifestBoxes): void {
    const before = this.#kept.peek()
    const next = withManifest(before, manifest, this.#deps.home)
    if (JSON.stringify(next) === JSON.stringify(before)) return
    this.#kept.value = next
    writeLater(this.#deps.db, [keep('boxes', next)])
  }
}

/** The list of home replaces what was known; the list of another box adds those that home has not named. */
export function withManifest(
  before: Kept['boxes'],
  { origin, box, boxes }: ManifestBoxes,
  home: string,
): Kept['boxes'] {
  // The silence of a box changes every second, and does not belong to its address.
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

/** `https://host:port`; undefined for an address that is not https. */
export function originOf(url: string): string | undefined {
  const parsed = parse(url)
  return parsed?.protocol === 'https:' ? parsed.origin : undefined
}

/** As `URL.parse`, which Safari has since 18 only. */
function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
