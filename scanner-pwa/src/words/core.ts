/** The sentences about tickets. Whatever loads the scanner's core waits for `loadCore`. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'

type Core = typeof import('./en/core.ts')

export let askWords: Core['askWords']
export let gateWords: Core['gateWords']
export let verdictSays: Core['verdictSays']
export let verdictSentences: Core['verdictSentences']

export function sayCore(said: Core): void {
  ;({ askWords, gateWords, verdictSays, verdictSentences } = said)
}

export const loadCore = wordsLoader<Core>((folder) => import(`./${folder}/core.ts`), sayCore)
