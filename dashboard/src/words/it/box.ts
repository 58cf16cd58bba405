/** Sentences for the codes that the box sends, in Italian. */
import { settingWords } from '@gatehouse/proto/setting-words/it.ts'
import type { BoxWords } from '../said.ts'
import { actRefusalWords } from './act-refusals.ts'
import { certificateWords } from './certificate.ts'
import { evacuationSheetWords } from './evacuation-sheet.ts'
import { eventFileWords } from './event-file.ts'
import { guestListWords } from './guest-list.ts'
import { guideRefusalWords } from './guide-refusals.ts'
import { linkWords } from './link.ts'
import { machineWords } from './machine.ts'
import { mappingWords } from './mapping.ts'
import { paperListWords } from './paper-list.ts'
import { pretixWords } from './pretix.ts'
import { staffRefusalWords } from './staff-refusals.ts'
import { ticketFileWords } from './ticket-file.ts'
import { venueWords } from './venue.ts'

export const boxWords: BoxWords = {
  mode: {
    in_contact: 'I box sono in contatto.',
    forced: 'È stato forzato dalla centrale.',
    votes_unreachable: 'La maggior parte dei box che decidono non risponde.',
    authority_unknown: 'Nel frattempo potrebbe decidere un altro box.',
    voters_unsynced: 'I box che decidono non confermano di salvare prima di rispondere.',
    backfilling: 'I box che decidono stanno ricevendo l’elenco di chi è dentro.',
    confirming: {
      one: '# ingresso è in attesa di conferma dagli altri box.',
      other: '# ingressi sono in attesa di conferma dagli altri box.',
    },
    arriving: 'Stanno ancora arrivando dati dagli altri box.',
    settling: 'I box sono di nuovo in contatto. Questo aspetta dieci secondi per esserne certo.',
    refused: 'Questo box non può usare ciò che invia {name}.',
    refused_more: { one: 'Lo stesso vale per un altro box.', other: 'Lo stesso vale per altri # box.' },
    silent: '{name}: nessun contatto da {for_ms}.',
    silent_since_start: '{name}: nessun contatto da quando questo box è acceso.',
    silent_more: { one: 'Un altro box è senza contatto.', other: 'Altri # box sono senza contatto.' },
    no_server:
      'Su questo box non funziona nessun nats-server: installa il pacchetto nats-server o imposta GATEHOUSE_NATS_SERVER.',
    server_fails: 'Il nats-server di questo box non si avvia.',
  },
  peer: {
    not_signed:
      'I suoi messaggi non sono firmati. Se ha una versione più vecchia, aggiornala. Altrimenti un’altra macchina usa il suo nome.',
    stranger: 'Una macchina che non è nell’elenco dei box risponde al suo posto: scopri quale.',
    forged: 'Un’altra macchina risponde al suo posto: scopri quale.',
    other_key:
      'I suoi messaggi sono cifrati per un altro elenco di box. Si leggeranno quando entrambi avranno lo stesso elenco.',
    misshapen: 'Questo box non riesce a leggere ciò che invia. Se le versioni sono diverse, aggiorna la più vecchia.',
    history_changed: 'Ha cambiato voci che aveva già inviato: conserva i suoi dati e controlla il suo registro.',
    not_applied: 'Le sue voci qui non si possono elaborare. Il motivo è nel file di log di questo box.',
    copy_refused: 'La copia del suo registro che ha {name} viene rifiutata.',
    seal_unsigned: 'Il suo sigillo non è firmato con la sua chiave.',
    seal_differs: {
      one: 'Il suo sigillo su # voce non corrisponde a ciò che ha inviato.',
      other: 'Il suo sigillo su # voci non corrisponde a ciò che ha inviato.',
    },
    two_seals: { one: 'Ha firmato due sigilli diversi su # voce.', other: 'Ha firmato due sigilli diversi su # voci.' },
    other_event: 'Ha un altro file dell’evento: dai lo stesso a entrambi e riavvia quello con il più vecchio.',
  },
  boxes: {
    box_alone: 'Questo box è solo: non ce n’è un altro.',
    box_unlisted: 'Il box {name} non è più nell’elenco: guarda di nuovo l’elenco.',
    last_box: 'L’ultimo box di un evento non si può rimuovere.',
    box_outdated: '{name} ha una versione più vecchia, che non cifra nulla: aggiornalo prima.',
    votes_already: '{name} decide già.',
    in_data_centre: '{name} è in un data center: i box che decidono devono essere sul posto.',
    no_vote: '{name} non decide: non c’è nulla da sostituire.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Ritirata al varco.',
  },
  event: eventFileWords,
  map: venueWords,
  pretix: pretixWords,
  mapping: mappingWords,
  machine: machineWords,
  certificate: certificateWords,
  link: linkWords,
  paper: paperListWords,
  evacuation: evacuationSheetWords,
  guide: guideRefusalWords,
  setting: settingWords,
  file: ticketFileWords,
  sale: guestListWords,
  import: {
    code_missing: 'La riga non ha codice: inseriscilo o elimina la riga.',
    code_rounded: 'Un foglio di calcolo ha arrotondato il codice (1.2E+15): usa il file come lo esporta lo shop.',
    code_error:
      'Un foglio di calcolo ha sostituito il codice con un errore o con ####: usa il file come lo esporta lo shop.',
    code_decimals: 'Il codice finisce con decimali (123.0): esportalo come testo.',
    code_is_date: 'Un foglio di calcolo ha trasformato il codice in una data: usa il file come lo esporta lo shop.',
    code_apostrophe:
      'Il codice inizia con un apostrofo di un foglio di calcolo: toglilo o esporta il codice come testo.',
    code_rotating: 'Questo codice cambia ogni pochi secondi (G1:): importa il codice stampato dallo shop.',
    code_lost_characters: 'Salvando il file si sono persi caratteri del codice: esportalo di nuovo come CSV UTF-8.',
    code_invisible: 'Il codice contiene un carattere invisibile: toglilo.',
    code_too_long: 'Il codice supera {bytes} byte, troppi per la scansione: controlla la colonna.',
    code_formula: 'Il codice era scritto come formula (="...") ed è stato letto senza.',
    code_blanks: 'Gli spazi attorno al codice sono stati tolti.',
    code_scanner_marks: 'Ciò che un lettore aggiunge a un codice (]Q1, caratteri di controllo) è stato tolto.',
    code_twice: 'La riga {row} ha lo stesso codice: elimina una delle due.',
    digits_rounded:
      'Tutti i codici lunghi finiscono con zeri: li ha arrotondati un foglio di calcolo. Usa il file come lo esporta lo shop.',
    digits_short: 'Il codice è più corto degli altri e nessuno inizia con 0: confrontalo con un biglietto stampato.',
    tier_missing: 'La riga non indica la categoria: inserisci una di {tiers}.',
    no_tier: '«{name}» non corrisponde a nessuna categoria.',
    date_unreadable: '{column} «{text}» non è una data: scrivi 2026-07-04 o 2026-07-04 18:00.',
    dates_swapped: 'valid_until viene prima di valid_from: correggi uno dei due.',
    not_a_date: '{column} non è una data.',
    status_unknown: 'Lo stato «{status}» non esiste: usa uno di {known}.',
    order_status_unknown: 'L’ordine ha uno stato sconosciuto («{status}»): scaricalo di nuovo.',
    quantity:
      'La quantità è «{quantity}», ma un codice fa entrare una persona: esporta un elenco con una riga a persona.',
    row_cut_off: 'Il file finisce a metà di questa riga: scaricalo di nuovo.',
    cells_many: 'La riga ha {cells} celle e l’intestazione {header}: metti tra virgolette le celle con un separatore.',
    qr_incomplete: 'Il codice non è completo: copia tutto il testo del QR.',
    position_broken: 'Questo biglietto di un ordine è incompleto: scarica di nuovo gli ordini da pretix.',
    position_no_secret:
      'Il biglietto è arrivato senza codice: scarica gli ordini con un token che può vedere i codici.',
    test_mode: 'L’ordine è stato fatto in modalità di prova. Il biglietto fa entrare lo stesso.',
    checked_in: 'Già registrato nello shop. Il box non lo sa e lo farà entrare.',
    mapping_unused: 'Nessun biglietto è «{product}»: controlla come si scrive.',
    left_out_mapped: '«{name}» è stato escluso, come hai scelto.',
    left_out_extra: '«{name}» non è un biglietto e non corrisponde a nessuna categoria, quindi è stato escluso.',
    text_shortened: 'Un testo lungo è stato accorciato.',
    answers_left_out: 'Le risposte sono troppo lunghe e sono state escluse.',
    questions_left_out: 'Le domande di un prodotto sono troppo lunghe e sono state escluse.',
    products_many: 'Il file nomina più di {most} prodotti: gli altri hanno solo la chiave come nome.',
    columns_unused: 'Colonne non usate: {columns}. Conosciute: {known}.',
    no_status_column: 'Manca la colonna «{column}»: i biglietti rimborsati contano come validi.',
    pretix_list:
      'Una lista di check-in di pretix non ha biglietti bloccati o annullati né periodi di validità: se ti servono, importa gli ordini da pretix.',
    pretix_export:
      'Questa esportazione di pretix non ha biglietti bloccati o annullati né periodi di validità: se ti servono, importa gli ordini da pretix.',
    cancelled_left_out: 'I biglietti annullati mancano in questa esportazione: revoca a mano quelli importati prima.',
    pages_missing: 'Il file è solo una delle pagine: scarica le altre e importale tutte.',
    positions_missing:
      'Mancano i biglietti annullati: scarica gli ordini con quelli, altrimenti i biglietti già importati restano validi.',
    dates_many: 'I biglietti sono per {n} date e qui entrerebbero tutti: scarica gli ordini di una sola data.',
    list_never_admits:
      'La lista di check-in «{list}» di pretix non fa mai entrare {product}. Il box non conosce questa regola: dai al prodotto una categoria senza accesso lì.',
    list_rules:
      'La lista di check-in «{list}» di pretix ha per {product} regole non supportate ({asked}). Imposta allo stesso modo ingressi, orari e zone della sua categoria.',
    rules_more:
      'Altre regole delle liste di check-in di pretix riguardano questo prodotto: sono indicate solo le prime mille.',
    not_utf8: 'Il file non è UTF-8 ed è stato letto come Windows-1252: controlla i nomi con accenti.',
    columns_not_kept:
      'Le colonne abbinate non sono state conservate per il prossimo file: il box non può scrivere nella cartella dell’evento.',
    columns_unreadable:
      'Le colonne abbinate per i file precedenti non si leggono e non sono state usate: correggi o elimina columns.json nella cartella dell’evento.',
  },
}
