/** Sentences about acts of the control room that are refused, in Dutch. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'In de laatste 30 minuten zijn er mensen binnengelaten, en wie tijdens een repetitie naar binnen gaat wordt niet geteld: zorg dat er geen poort open is.',
  event_begun:
    'Het evenement is begonnen, en wie tijdens een repetitie naar binnen gaat wordt niet geteld: zorg dat er geen poort open is.',
  ticket_changed: '{actor} heeft dit ticket om {time} UTC gewijzigd: bekijk het opnieuw en beslis dan.',
  ticket_claimed: 'Dit ticket is om {time} UTC op een telefoon vastgezet: bekijk het opnieuw en beslis dan.',
  ticket_changed_by_shop: 'De shop heeft dit ticket om {time} UTC gewijzigd: bekijk het opnieuw en beslis dan.',
  ticket_changed_elsewhere: 'Iemand heeft dit ticket op een andere box gewijzigd: bekijk het opnieuw en beslis dan.',
  gate_unknown: 'Dit evenement heeft die poort niet: laad de pagina opnieuw.',
  no_pretixscan: 'Deze box bedient geen pretixSCAN: stel GATEHOUSE_PRETIXSCAN_PORT in en herstart de box.',
  record_uncountable:
    'Een regel in het register is gewijzigd en niet te tellen: voer “gatehouse verify” uit en bewaar dit register zoals het is.',
  box_closing: 'De box wordt afgesloten: probeer het opnieuw als hij er weer is.',
  ticket_was_revoked: '{actor} heeft dit ticket om {time} UTC ingetrokken: bekijk het opnieuw en beslis dan.',
  ticket_was_reinstated: '{actor} heeft dit ticket om {time} UTC hersteld: bekijk het opnieuw en beslis dan.',
  ticket_was_reissued: '{actor} heeft dit ticket om {time} UTC opnieuw uitgegeven: bekijk het opnieuw en beslis dan.',
  ticket_was_forgotten:
    '{actor} heeft de houder van dit ticket om {time} UTC gewist: bekijk het opnieuw en beslis dan.',
  claim_was_released:
    '{actor} heeft dit ticket om {time} UTC vrijgegeven van de telefoon: bekijk het opnieuw en beslis dan.',
  search_broken: 'Het zoeken werkt niet: kijk of de schijf vol is.',
}
