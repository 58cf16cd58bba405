/** Sentences about tickets: loaded with the scanner's core, before the first screen is drawn. */
export { verdictSentences } from '@gatehouse/proto/verdict-words/en.ts'
export { askWords } from './ask.ts'
export { gateWords } from './gate.ts'
export { verdictSays } from './verdict.ts'
