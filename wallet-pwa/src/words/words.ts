/** The sentences of this app, in the language of this phone. The app is imported after them. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'

type First = typeof import('./en/first.ts')

export let speech: First['speech']
export let words: First['words']

export function say(said: First): void {
  ;({ speech, words } = said)
}

export const loadWords = wordsLoader<First>((folder) => import(`./${folder}/first.ts`), say)
