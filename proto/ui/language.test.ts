import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chooseLanguage, LANGUAGES } from './language.ts'

const ROOT = join(import.meta.dirname, '../..')
const APPS = ['scanner-pwa', 'wallet-pwa', 'dashboard']

test('the device chooses: its first language that there is, and what was chosen on it before that', () => {
  for (const [wanted, stored, language] of [
    [['de-AT', 'en'], null, 'de'],
    [['pt-BR'], null, 'pt'],
    [['zh-Hant-TW', 'fr-CH'], null, 'fr'],
    [['DE'], null, 'de'],
    [['sw'], null, 'en'],
    [[], null, 'en'],
    [['de'], 'it', 'it'],
    [['de'], 'xx', 'de'],
    [['toString'], 'constructor', 'en'],
    [['de'], 'en-x-rtl', 'en-x-rtl'],
  ] as const) {
    assert.equal(chooseLanguage(wanted, stored), language, `${wanted.join(' ')}, ${stored}`)
  }
})

test('each language has its folder in each app, with the files of the English one, and its verdicts and maps', () => {
  for (const app of APPS) {
    const folder = join(ROOT, app, 'src/words')
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    assert.deepEqual(folders.map(({ name }) => name).sort(), [...LANGUAGES].sort(), app)
    for (const { name } of folders) {
      assert.deepEqual(readdirSync(join(folder, name)).sort(), readdirSync(join(folder, 'en')).sort(), `${app} ${name}`)
    }
  }
  const shared = ['proto/verdict-words', 'proto/map-words', 'proto/setting-words']
  for (const folder of [...shared, 'box/src/appliance/setup-words', 'box/src/appliance/trust/words'])
    assert.deepEqual(readdirSync(join(ROOT, folder)).sort(), LANGUAGES.map((tag) => `${tag}.ts`).sort(), folder)
  // The box's own sentence is the English one.
  const others = LANGUAGES.filter((tag) => tag !== 'en').map((tag) => `${tag}.ts`)
  assert.deepEqual(readdirSync(join(ROOT, 'proto/refusal-words')).sort(), others.sort())
})
