/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in French. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, ligne {line} : l’événement n’a pas de catégorie « {tier} » ({key}).',
  mapping_checkpoint: '{file}, ligne {line} : l’événement n’a pas de point de contrôle « {checkpoint} » ({key}).',
  mapping_key: '{file}, ligne {line} : {key} n’existe pas.',
  mapping_missing: '{file}, ligne {line} : {key} manque.',
  mapping_other: '{file} contient une erreur à la ligne {line} ({what}).',
  mapping_more: { one: 'Et # autre erreur.', other: 'Et # autres erreurs.' },
  mapping_unreadable: '{file} est illisible ({why}).',
}
