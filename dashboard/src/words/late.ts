/** The sentences of screens that are loaded when they are needed. Whatever loads a screen waits for `loadLate`. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'

type Late = typeof import('./en/late.ts')

export let actionWords: Late['actionWords']
export let applianceWords: Late['applianceWords']
export let boxWords: Late['boxWords']
export let deskWords: Late['deskWords']
export let guideWords: Late['guideWords']
export let liveWords: Late['liveWords']
export let mapWords: Late['mapWords']
export let readyWords: Late['readyWords']
export let salesWords: Late['salesWords']
export let shopWords: Late['shopWords']
export let signInWords: Late['signInWords']
export let staffWords: Late['staffWords']
export let verificationWords: Late['verificationWords']

export function sayLate(said: Late): void {
  ;({
    actionWords,
    applianceWords,
    boxWords,
    deskWords,
    guideWords,
    liveWords,
    mapWords,
    readyWords,
    salesWords,
    shopWords,
    signInWords,
    staffWords,
    verificationWords,
  } = said)
}

export const loadLate = wordsLoader<Late>((folder) => import(`./${folder}/late.ts`), sayLate)
