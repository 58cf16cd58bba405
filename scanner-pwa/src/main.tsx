import { languageOfPage, startIn } from '@gatehouse/proto/ui/language.ts'
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import { loadWords } from './words/words.ts'

void startIn(
  languageOfPage(),
  loadWords,
  reimporting(() => import('./start.tsx')),
)
