/** The sentences of this app, in the language of this phone. */
export { words } from './en/words.ts'
