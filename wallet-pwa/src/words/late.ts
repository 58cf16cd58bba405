/** The sentences of screens that are loaded when they are needed. Whatever reads them is loaded `withWords`. */
import { wordsLoader } from '@gatehouse/proto/ui/language.ts'
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'

type Late = typeof import('./en/late.ts')

export let mapWords: Late['mapWords']
export let screenWords: Late['screenWords']

export function sayLate(said: Late): void {
  ;({ mapWords, screenWords } = said)
}

const loadLate = wordsLoader<Late>((folder) => import(`./${folder}/late.ts`), sayLate)

/** @param load imports what reads these sentences: one `import()` and nothing else */
export function withWords<M>(load: () => Promise<M>): () => Promise<M> {
  const fetched = reimporting(load)
  return () => loadLate().then(fetched)
}
