/** Sentences about the link to headquarters and from the shop, in French. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'Le flux de changements de ce boîtier n’a jamais été démarré : démarrez-le.',
  feed_unanswered: 'Le flux de changements de ce boîtier ne répond pas : voyez s’il tourne.',
  feed_status: 'Le flux de changements de ce boîtier répond avec le statut {status} : regardez son journal.',
  feed_before_hq: 'Le flux de changements tournait avant que le siège soit défini : redémarrez-le.',
  record_unread: 'Le flux de changements ne peut pas lire le registre de ce boîtier.',
  hq_away: 'Le siège ne répond pas.',
  hq_refuses: 'Le siège n’accepte pas ce que ce boîtier envoie.',
  shop_refused: 'Le boîtier n’a pas pu prendre ce que la boutique a envoyé.',
  reported: 'Message reçu : « {words} ».',
}
