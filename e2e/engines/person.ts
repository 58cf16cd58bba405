/** Somebody before a tab: presses, fills, reads. Each waits until it can be done. */
import type { Tab, Wanted } from './tab.ts'
import { until } from './tab.ts'

export class Person {
  readonly tab: Tab

  constructor(tab: Tab) {
    this.tab = tab
  }

  async press(name: Wanted['name'], kind: Wanted['kind'] = 'button'): Promise<void> {
    await this.#until(`${kind} ${name}`, () => this.tab.press({ kind, name }))
  }

  /** In place of what is in the field. */
  async fill(field: Wanted['name'], text: string): Promise<void> {
    await this.press(field, 'field')
    await this.tab.run(() => (document.activeElement as HTMLInputElement).select())
    await this.tab.type(text)
  }

  async choose(field: string, path: string): Promise<void> {
    await this.#until(`a file for ${field}`, () => this.tab.choose(field, path))
  }

  /** @param where a selector; the whole page by default */
  async sees(text: string | RegExp, where = 'body'): Promise<void> {
    await this.#until(`"${text}" stands there`, async () => contains(await this.read(where), text))
  }

  async seesNo(text: string | RegExp, where = 'body'): Promise<void> {
    await this.#until(`"${text}" is gone`, async () => !contains(await this.read(where), text))
  }

  /** The text that stands there; nothing where there is no such place. */
  read(where = 'body'): Promise<string> {
    return this.tab.run((selector) => {
      const places = [...document.querySelectorAll<HTMLElement>(selector)]
      return places.map((place) => place.innerText.replace(/\s+/g, ' ')).join(' ')
    }, where)
  }

  async #until(what: string, look: () => Promise<boolean>): Promise<void> {
    await until(what, look, async () => `The page says: ${await this.read()}`)
  }
}

/** Whether it is written in capitals is the style's affair. */
function contains(page: string, text: string | RegExp): boolean {
  return typeof text === 'string'
    ? page.toLowerCase().includes(text.toLowerCase())
    : new RegExp(text.source, 'i').test(page)
}
