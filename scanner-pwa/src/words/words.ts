/** The sentences that the scanner needs at once, in the language of this phone. */
export { askWords } from './en/ask.ts'
export { gateWords } from './en/gate.ts'
export { clock, duration, longDuration, moment, words } from './en/words.ts'
