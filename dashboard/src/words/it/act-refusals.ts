/** Sentences about acts of the control room that are refused, in Italian. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'Negli ultimi 30 minuti è entrata gente, e chi entra durante una prova non viene contato: controlla che nessun varco sia aperto.',
  event_begun:
    'L’evento è iniziato, e chi entra durante una prova non viene contato: controlla che nessun varco sia aperto.',
  ticket_changed: '{actor} ha modificato questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_claimed: 'Un telefono ha associato a sé questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_changed_by_shop: 'Lo shop ha modificato questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_changed_elsewhere: 'Questo biglietto è stato modificato su un altro box: guardalo di nuovo, poi decidi.',
  gate_unknown: 'Questo evento non ha questo varco: ricarica la pagina.',
  no_pretixscan: 'Questo box non serve pretixSCAN: imposta GATEHOUSE_PRETIXSCAN_PORT e riavvia il box.',
  record_uncountable:
    'Una voce del registro è stata modificata e non si può contare: esegui «gatehouse verify» e conserva questo registro così com’è.',
  box_closing: 'Il box si sta chiudendo: riprova quando è di nuovo attivo.',
  ticket_was_revoked: '{actor} ha revocato questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_was_reinstated: '{actor} ha ripristinato questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_was_reissued: '{actor} ha riemesso questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  ticket_was_forgotten:
    '{actor} ha cancellato i dati del titolare di questo biglietto alle {time} UTC: guardalo di nuovo, poi decidi.',
  claim_was_released:
    '{actor} ha liberato questo biglietto dal telefono alle {time} UTC: guardalo di nuovo, poi decidi.',
  search_broken: 'La ricerca non funziona: guarda se il disco è pieno.',
}
