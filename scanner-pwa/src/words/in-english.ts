/** For tests, imported first: the English sentences, at once. */

import { sayCore } from './core.ts'
import * as core from './en/core.ts'
import * as first from './en/first.ts'
import * as late from './en/late.ts'
import { sayLate } from './late.ts'
import { say } from './words.ts'

say(first)
sayCore(core)
sayLate(late)
