/** Groups of people that the figures of the evacuation sheet leave out, in Italian. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned: 'Chi è entrato senza scansione: staff e artisti senza biglietto, e chi è passato da una porta aperta.',
  no_way_out:
    'Chi è uscito da {zone} senza andare in un’altra zona: lì all’uscita non si scansiona nessuno, quindi risulta ancora dentro.',
  scanners_silent: {
    one: '# scanner non dà segnali: {names}. «Al massimo» comprende una stima delle persone che può aver fatto entrare.',
    other:
      '# scanner non danno segnali: {names}. «Al massimo» comprende una stima delle persone che possono aver fatto entrare.',
  },
  unsent: {
    one: '# scansione non è ancora arrivata a nessun box.',
    other: '# scansioni non sono ancora arrivate a nessun box.',
  },
  box_silent: 'Chi è passato da {name} dopo l’ultimo contatto: chiedi anche lì.',
  box_behind: { one: '# voce di {name} ancora in arrivo.', other: '# voci di {name} ancora in arrivo.' },
  passed_back: 'Biglietti passati a qualcun altro e usati due volte, e persone in liste su carta non ancora inserite.',
}
