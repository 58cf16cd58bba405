import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '@gatehouse/proto/ui/language.ts'
import { VERDICT_CLASSES, verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import { VERDICTS } from '@gatehouse/proto/wire/scan.ts'

for (const language of LANGUAGES) {
  test(`${language}: a verdict has the same name on the scanner, on the live screens, in the log and on the desk`, async () => {
    const { words } = await import(`../../../scanner-pwa/src/words/${language}/words.ts`)
    const { liveWords } = await import(`./${language}/live.ts`)
    const { actionWords } = await import(`./${language}/actions.ts`)
    assert.deepEqual({ ...liveWords.verdictClasses }, { ...words.verdict.class })
    // A class of several verdicts has a name, and each of them the sentence that the scanner shows beside it.
    const alone = VERDICTS.filter(
      (one) => VERDICTS.filter((other) => verdictClass(other) === verdictClass(one)).length === 1,
    )
    assert.equal(alone.length, VERDICT_CLASSES.length - 1)
    for (const verdict of alone) {
      if (verdict !== 'UNKNOWN') assert.equal(actionWords.verdict(verdict), words.verdict.class[verdictClass(verdict)])
    }
  })
}
