/** Problems of `gatehouse.toml` as the screen says them. */
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import { applianceWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'

/** False where no line was left unused: the file as a whole is missing or cannot be read, or the event is not set in it. */
export function isOfALine({ where, coded }: SettingsProblem): boolean {
  return where !== 'gatehouse.toml' && !coded?.some(({ code }) => code === 'no_event' || code === 'not_toml')
}

/** A key as the file has it; a line by the language's own word. */
export function placeOf({ where }: SettingsProblem): string {
  const [, line] = /^line (\d+)$/.exec(where) ?? []
  return line === undefined ? where : words.line(line)
}

export function problemText({ message, coded }: SettingsProblem): string {
  return saidBy('setting', coded, message)
}
