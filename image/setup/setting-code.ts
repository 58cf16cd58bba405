/** Codes of what is wrong with a line of `gatehouse.toml`, for the box's page and its control room. */
import type { Coded, CodeOf, SaidValues } from '../../proto/said.ts'

export type SettingCode = Coded<CodeOf<'setting'>>

export function settingCode(code: SettingCode['code'], values?: SaidValues): SettingCode {
  return { code, ...(values && { values }) }
}
