/** Sentences about what the screen Event was refused, in French. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'L’événement contient # erreur : corrigez-la d’abord.',
    other: 'L’événement contient # erreurs : corrigez-les d’abord.',
  },
  map_mistaken: {
    one: 'Le plan contient # erreur : corrigez-la d’abord.',
    other: 'Le plan contient # erreurs : corrigez-les d’abord.',
  },
  no_event_yet: 'Il n’y a pas encore d’événement : enregistrez-le d’abord.',
  no_restart: 'Ce boîtier ne peut pas redémarrer seul : redémarrez-le à la main.',
  map_timed_out:
    'Ce plan est trop long à lire ici : prenez-en une plus petite partie, ou un ordinateur avec « gatehouse venue import ».',
  map_changed: 'Le plan a changé entre-temps : rouvrez-le et refaites la modification.',
  checks_many: 'D’autres brouillons sont en cours de vérification : réessayez dans un instant.',
}
