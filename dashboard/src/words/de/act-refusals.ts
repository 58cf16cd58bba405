/** Sentences about acts of the control room that are refused, in German. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'In den letzten 30 Minuten wurden Leute eingelassen, und wer während einer Probe hineingeht, wird nicht gezählt: sicherstellen, dass kein Tor offen ist.',
  event_begun:
    'Die Veranstaltung hat begonnen, und wer während einer Probe hineingeht, wird nicht gezählt: sicherstellen, dass kein Tor offen ist.',
  ticket_changed: '{actor} hat dieses Ticket um {time} UTC geändert: noch einmal ansehen, dann entscheiden.',
  ticket_claimed: 'Ein Handy hat dieses Ticket um {time} UTC an sich gebunden: noch einmal ansehen, dann entscheiden.',
  ticket_changed_by_shop:
    'Der Ticketshop hat dieses Ticket um {time} UTC geändert: noch einmal ansehen, dann entscheiden.',
  ticket_changed_elsewhere: 'Dieses Ticket wurde an einer anderen Box geändert: noch einmal ansehen, dann entscheiden.',
  gate_unknown: 'Dieses Tor gibt es bei dieser Veranstaltung nicht: die Seite neu laden.',
  no_pretixscan: 'Diese Box bedient kein pretixSCAN: GATEHOUSE_PRETIXSCAN_PORT setzen und die Box neu starten.',
  record_uncountable:
    'Ein Eintrag des Protokolls wurde verändert und lässt sich nicht zählen: „gatehouse verify“ ausführen und dieses Protokoll so aufheben.',
  box_closing: 'Die Box fährt gerade herunter: noch einmal versuchen, wenn sie wieder da ist.',
  ticket_was_revoked: '{actor} hat dieses Ticket um {time} UTC storniert: noch einmal ansehen, dann entscheiden.',
  ticket_was_reinstated:
    '{actor} hat das Storno dieses Tickets um {time} UTC aufgehoben: noch einmal ansehen, dann entscheiden.',
  ticket_was_reissued:
    '{actor} hat dieses Ticket um {time} UTC neu ausgestellt: noch einmal ansehen, dann entscheiden.',
  ticket_was_forgotten:
    '{actor} hat die Personendaten dieses Tickets um {time} UTC gelöscht: noch einmal ansehen, dann entscheiden.',
  claim_was_released:
    '{actor} hat dieses Ticket um {time} UTC vom Handy gelöst: noch einmal ansehen, dann entscheiden.',
  search_broken: 'Die Suche geht nicht: prüfen, ob der Datenträger voll ist.',
}
