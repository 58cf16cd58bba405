/** What the scanner says of tickets: loaded with its core, before the first screen is drawn. */
export { verdictSentences } from '@gatehouse/proto/verdict-words/nl.ts'
export { askWords } from './ask.ts'
export { gateWords } from './gate.ts'
export { verdictSays } from './verdict.ts'
