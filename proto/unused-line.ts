/** Tells a problem of a line of `gatehouse.toml`, which was then not used, from one of the file as a whole. */
import type { SettingsProblem } from './wire/appliance.ts'

/** False where the file is missing or cannot be read, or the event is not set in it. */
export function leavesLineUnused({ where, coded }: SettingsProblem): boolean {
  return where !== 'gatehouse.toml' && !coded?.some(({ code }) => code === 'no_event' || code === 'not_toml')
}
