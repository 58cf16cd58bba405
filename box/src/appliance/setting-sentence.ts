/** Says a problem of `gatehouse.toml` in the language of the box's own page. Pure. */
import { type Coded, SAID, type SettingWords } from '@gatehouse/proto/said.ts'
import { settingWords as de } from '@gatehouse/proto/setting-words/de.ts'
import { settingWords as en } from '@gatehouse/proto/setting-words/en.ts'
import { settingWords as es } from '@gatehouse/proto/setting-words/es.ts'
import { settingWords as fr } from '@gatehouse/proto/setting-words/fr.ts'
import { settingWords as it } from '@gatehouse/proto/setting-words/it.ts'
import { settingWords as nl } from '@gatehouse/proto/setting-words/nl.ts'
import { settingWords as pt } from '@gatehouse/proto/setting-words/pt.ts'
import type { Language, Pseudo } from '@gatehouse/proto/ui/language.ts'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import { wordsIn } from './page-language.ts'

const WORDS: Record<Language, SettingWords> = { de, en, es, fr, it, nl, pt }

/** @returns undefined where there is no code, or one that is not known here: then the English sentence stands in for it */
export function settingSentence({ coded = [] }: SettingsProblem, language: Language | Pseudo): string | undefined {
  const words = wordsIn(WORDS, language)
  const sentences = coded.map((one) => sentenceOf(one, words))
  return sentences.length > 0 && !sentences.includes(undefined) ? sentences.join(' ') : undefined
}

/** Undefined where a value did not come. */
function sentenceOf({ code, values = {} }: Coded, words: Readonly<Record<string, string>>): string | undefined {
  if (!Object.hasOwn(words, code)) return undefined
  const names: readonly string[] = SAID.setting[code as keyof SettingWords]
  if (!names.every((name) => Object.hasOwn(values, name))) return undefined
  return words[code]?.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
}
