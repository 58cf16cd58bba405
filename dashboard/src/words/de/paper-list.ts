/** Sentences about a paper list that was typed in, in German. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Ein Kurzcode hat acht Zeichen: mit dem Blatt vergleichen.',
  code_sign: 'In Kurzcodes kommen 0, 1, I, L und O nicht vor: mit dem Blatt vergleichen.',
  code_check: 'Ein Zeichen ist falsch, oder zwei sind vertauscht: mit dem Blatt vergleichen.',
  code_unknown: 'Kein Ticket dieser Veranstaltung hat diesen Code: mit dem Blatt vergleichen.',
  code_of_two: 'Zwei Tickets haben diesen Code: die Person mit Namen suchen.',
  other_gate: 'Diese Ticketart gilt nicht für {checkpoint}: Ist es das Blatt eines anderen Tors?',
  event_changed: 'Die Veranstaltung wurde seither geändert: Ticket oder Eingang gibt es nicht mehr.',
  sheet_of_other:
    'Dieses Ticket wurde vom selben Blatt schon für einen anderen Eingang eingetippt: Ein Blatt gehört zu einem Tor.',
  sheet_length: 'Eine Blattnummer hat sechs Zeichen: Sie steht oben auf jeder Seite.',
  sheet_sign: 'In Blattnummern kommen 0, 1, I, L und O nicht vor. Die Nummer steht oben auf jeder Seite.',
  sheet_check: 'In der Blattnummer ist ein Zeichen falsch: mit dem oberen Rand der Seite vergleichen.',
  used_too_long: 'Das Blatt war länger als einen Tag in Gebrauch: beide Zeiten und ihren Tag prüfen.',
  entrance_gone: 'Diesen Eingang hat die Veranstaltung nicht: die Seite neu laden und einen anderen wählen.',
  gate_gone: 'Dieses Tor hat die Veranstaltung nicht: die Seite neu laden und ein anderes wählen.',
  closing: 'Die Box schließt gerade: das Blatt noch einmal eintippen, wenn sie wieder offen ist.',
}
