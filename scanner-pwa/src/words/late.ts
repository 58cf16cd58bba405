/** The sentences of screens that are loaded when they are needed. */
export { lookUpWords } from './en/look-up.ts'
export { preflightWords } from './en/preflight.ts'
