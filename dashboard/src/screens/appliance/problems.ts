/** Problems of `gatehouse.toml` as the screen says them. */
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import { applianceWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'

/** A key as the file has it; a line by the language's own word. */
export function placeOf({ where }: SettingsProblem): string {
  const [, line] = /^line (\d+)$/.exec(where) ?? []
  return line === undefined ? where : words.line(line)
}

export function problemText({ message, coded }: SettingsProblem): string {
  return saidBy('setting', coded, message)
}
