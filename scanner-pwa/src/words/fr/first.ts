/** Text needed before the scanner's core is here, and on every screen: loaded when the app starts. */
export { speech } from './speech.ts'
export { words } from './words.ts'
