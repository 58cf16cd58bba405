/** The sentences of the shell and of the live screens, in the language of this device. The app is imported after them. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'

type First = typeof import('./en/first.ts')

export let speech: First['speech']
export let titles: First['titles']
export let words: First['words']

export function say(said: First): void {
  ;({ speech, titles, words } = said)
}

export const loadWords = wordsLoader<First>((folder) => import(`./${folder}/first.ts`), say)
