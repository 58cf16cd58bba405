/** The sentences of screens that are loaded when they are needed. Whatever loads a screen waits for `loadLate`. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'

type Late = typeof import('./en/late.ts')

export let lookUpWords: Late['lookUpWords']
export let preflightWords: Late['preflightWords']
export let screenWords: Late['screenWords']

export function sayLate(said: Late): void {
  ;({ lookUpWords, preflightWords, screenWords } = said)
}

export const loadLate = wordsLoader<Late>((folder) => import(`./${folder}/late.ts`), sayLate)
