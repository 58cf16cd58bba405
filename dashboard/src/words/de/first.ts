/** Text needed before a screen is opened: loaded when the app starts. */
export { speech } from './speech.ts'
export { titles } from './titles.ts'
export { words } from './words.ts'
