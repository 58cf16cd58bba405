/** One tab of a browser, whatever its engine: the least that a test needs of a driver. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Something that a person looks for on a page. A name that is a text is the beginning of what stands there. */
export interface Wanted {
  /** `answer`: a button of the dialog that is open, whose words are often those of the button that opened it. */
  kind: 'button' | 'answer' | 'link' | 'field' | 'file'
  name: string | RegExp
}

export interface Tab {
  open(address: string): Promise<void>
  reload(): Promise<void>
  /** Runs in the page: the function may use nothing but its arguments. */
  run<A extends readonly unknown[], R>(script: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** As a finger would. False where there is nothing of that name that can be pressed just now. */
  press(wanted: Wanted): Promise<boolean>
  /** Into what has the focus, key by key and as fast as the driver can; `\n` is Enter. */
  type(text: string): Promise<void>
  /** False where there is no such field. */
  choose(field: string, path: string): Promise<boolean>
  /** PNG of what is in view. */
  picture(): Promise<Buffer>
}

/** CSS pixels. */
export interface Size {
  width: number
  height: number
}

export interface Engine extends AsyncDisposable {
  name: string
  version: string
  /** A tab that has seen nothing yet of this engine's one profile: boxes have ports of their own, and so origins. */
  tab(size: Size): Promise<Tab>
  /** Exceptions and errors that pages have reported so far. */
  faults(): Promise<readonly string[]>
}

/** Far above what a busy machine takes: a test waits for a state, and this is for the state that never comes. */
const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 50

/** Looks again until it is true. @throws with `what`, and what `otherwise` says, when it never is */
export async function until(
  what: string,
  look: () => Promise<boolean>,
  otherwise: () => Promise<string> = async () => '',
): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`never: ${what}. ${await otherwise()}`)
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The wanted element, for a driver: runs in the page. `source` is that of a pattern. */
export function findInPage(kind: Wanted['kind'], source: string): Element | null {
  const selectors = {
    button: 'button, [role=button], [role=radio], [role=tab]',
    answer: 'dialog[open] button',
    link: 'a[href]',
    field: 'input:not([type=file]), textarea, select',
    file: 'input[type=file]',
  }
  const pattern = new RegExp(source)
  const nameOf = (element: Element) => {
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const said = element.getAttribute('aria-label') ?? labels[0]?.innerText ?? (element as HTMLElement).innerText
    return said.replace(/\s+/g, ' ').trim()
  }
  // Under a dialog that is open, nothing else can be pressed.
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const isThere = (element: Element) =>
    kind === 'file' ||
    (element.getClientRects().length > 0 && !element.matches(':disabled') && !element.closest('[inert]'))
  const found = [...(kind === 'answer' ? document : (dialog ?? document)).querySelectorAll(selectors[kind])].find(
    (element) => isThere(element) && pattern.test(nameOf(element)),
  )
  // At the edge it would be under a bar, where a person scrolls on.
  found?.scrollIntoView({ block: 'center' })
  return found ?? null
}

/** As `findInPage` takes it. */
export function sourceOf(name: string | RegExp): string {
  return typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` : name.source
}
