/** Text on screens that are loaded when they are needed: loaded before the first of them. */
export { lookUpWords } from './look-up.ts'
export { preflightWords } from './preflight.ts'
export { screenWords } from './screens.ts'
