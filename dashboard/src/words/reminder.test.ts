/** A report that nobody has answered: what rings again is the box, and not the person who reported. */
import './in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { liveWords } from './late.ts'

test('"Called again" is the box that reminds, how often, in each language', async () => {
  const { again } = liveWords.incidents
  assert.deepEqual(
    [again(1), again(9)],
    ['No answer yet: the box has reminded you once', 'No answer yet: the box has reminded you 9 times'],
  )
  for (const language of LANGUAGES) {
    const { liveWords: said } = (await import(`./${language}/late.ts`)) as { liveWords: typeof liveWords }
    assert.match(said.incidents.again(9), /9/, language)
    assert.doesNotMatch(said.incidents.again(9), /called again/i, language)
  }
})
