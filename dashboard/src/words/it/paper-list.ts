/** Sentences about a paper list that was typed in, in Italian. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Un codice breve ha otto caratteri: confrontalo con il foglio.',
  code_sign: 'I codici brevi non hanno 0, 1, I, L né O: confronta con il foglio.',
  code_check: 'Un carattere è sbagliato o due sono scambiati: confronta con il foglio.',
  code_unknown: 'Nessun biglietto di questo evento ha questo codice: confronta con il foglio.',
  code_of_two: 'Due biglietti hanno questo codice: cerca la persona per nome.',
  other_gate: 'Questa categoria non è per {checkpoint}: è il foglio di un altro varco?',
  event_changed: 'L’evento è cambiato nel frattempo: il biglietto o l’entrata non c’è più.',
  sheet_of_other:
    'Questo biglietto è già stato inserito dallo stesso foglio per un’altra entrata: un foglio vale per un varco.',
  sheet_length: 'Un numero di foglio ha sei caratteri: è in cima a ogni pagina.',
  sheet_sign: 'Un numero di foglio non ha 0, 1, I, L né O: è in cima a ogni pagina.',
  sheet_check: 'Il numero del foglio ha un carattere sbagliato: confrontalo con quello in cima alla pagina.',
  used_too_long: 'Il foglio è stato usato per più di un giorno: controlla i due orari e il giorno.',
  entrance_gone: 'L’evento non ha questa entrata: ricarica la pagina e scegline un’altra.',
  gate_gone: 'L’evento non ha questo varco: ricarica la pagina e scegline un altro.',
  closing: 'Il box si sta arrestando: inserisci di nuovo il foglio quando è di nuovo attivo.',
}
