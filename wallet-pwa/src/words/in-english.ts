/** For tests, imported first: the English sentences, at once. */
import * as first from './en/first.ts'
import * as late from './en/late.ts'
import { sayLate } from './late.ts'
import { say } from './words.ts'

say(first)
sayLate(late)
