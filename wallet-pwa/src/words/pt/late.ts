/** Text on screens that are loaded when they are needed: loaded before the first of them. */
export { mapWords } from '@gatehouse/proto/map-words/pt.ts'
export { screenWords } from './screens.ts'
