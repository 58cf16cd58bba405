/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, linha {line}: o evento não tem o tipo de bilhete «{tier}» ({key}).',
  mapping_checkpoint: '{file}, linha {line}: o evento não tem ponto de controlo «{checkpoint}» ({key}).',
  mapping_key: '{file}, linha {line}: {key} não existe.',
  mapping_missing: '{file}, linha {line}: falta {key}.',
  mapping_other: '{file} tem um erro na linha {line} ({what}).',
  mapping_more: { one: 'E mais # erro.', other: 'E mais # erros.' },
  mapping_unreadable: 'Não se consegue ler {file} ({why}).',
}
