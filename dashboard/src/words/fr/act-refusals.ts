/** Sentences about acts of the control room that are refused, in French. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'Des gens sont entrés dans les 30 dernières minutes, et qui entre pendant une répétition n’est pas compté : vérifiez qu’aucune porte n’est ouverte.',
  event_begun:
    'L’événement a commencé, et qui entre pendant une répétition n’est pas compté : vérifiez qu’aucune porte n’est ouverte.',
  ticket_changed: '{actor} a modifié ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_claimed: 'Ce billet a été verrouillé sur un téléphone à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_changed_by_shop: 'La billetterie a modifié ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_changed_elsewhere: 'Ce billet a été modifié sur un autre boîtier : regardez-le de nouveau, puis décidez.',
  gate_unknown: 'Cet événement n’a pas cette porte : rechargez la page.',
  no_pretixscan:
    'Ce boîtier ne sert pas pretixSCAN : définissez GATEHOUSE_PRETIXSCAN_PORT, puis redémarrez le boîtier.',
  record_uncountable:
    'Une entrée du registre a été modifiée et ne peut plus être comptée : lancez « gatehouse verify » et gardez ce registre tel quel.',
  box_closing: 'Le boîtier s’arrête : réessayez quand il sera revenu.',
  ticket_was_revoked: '{actor} a annulé ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_was_reinstated: '{actor} a rétabli ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_was_reissued: '{actor} a réémis ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  ticket_was_forgotten:
    '{actor} a effacé le titulaire de ce billet à {time} UTC : regardez-le de nouveau, puis décidez.',
  claim_was_released:
    '{actor} a libéré ce billet de son téléphone à {time} UTC : regardez-le de nouveau, puis décidez.',
  search_broken: 'La recherche est hors service : voyez si le disque est plein.',
}
