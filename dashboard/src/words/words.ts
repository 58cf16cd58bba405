/** The sentences of the shell and of the live screens, in the language of this device. */
export { titles } from './en/titles.ts'
export { words } from './en/words.ts'
