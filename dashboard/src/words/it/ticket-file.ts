/** Sentences about a ticket file of which nothing can be used, or nothing was, in Italian. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header: 'La prima riga non è di una tabella: esporta i biglietti in CSV con intestazione, o in JSON da pretix.',
  header_is_ticket: 'La prima riga sembra un biglietto: aggiungi sopra una riga con i nomi delle colonne.',
  quote_open: 'Le virgolette della cella alla riga {line} non si chiudono: chiudile o esporta di nuovo il file.',
  quote_inside:
    'La cella alla riga {line} contiene una virgoletta: raddoppiala ("") e metti la cella tra virgolette, oppure toglila.',
  web_page: 'È una pagina web o XML: accedi di nuovo allo shop ed esporta i biglietti in CSV.',
  no_ticket: 'Nel file non c’è nessun biglietto: esportalo di nuovo.',
  json_as_csv: 'È un file JSON, ma {format} si legge come CSV: scegli il formato «Rileva» o il file CSV.',
  json_broken: 'Il file comincia come JSON ma è rovinato, forse troncato: scaricalo di nuovo.',
  other_format: 'Il file non sembra di {format}, ma di {formats}: scegli il formato «Rileva».',
  columns_many:
    'Il file ha {columns} colonne, e se ne possono abbinare al massimo {most}: togli quelle che non servono ai varchi.',
  column_english:
    'A questa esportazione di {shop} manca la colonna «{column}»: esportala di nuovo con {shop} in inglese.',
  column_absent:
    'A questa esportazione di {shop} manca la colonna «{column}»: aggiungila in {shop} ed esporta di nuovo.',
  column_full_code:
    'L’esportazione di alf.io contiene solo metà di ciò che mostrano i biglietti: aggiungi una colonna «{column}» con il testo completo di ogni codice QR.',
  column_barcode:
    'Manca la colonna «{column}»: aggiungila al report dei partecipanti di Eventbrite (non a quello degli ordini) ed esportalo in inglese.',
  column_secret:
    'Manca la colonna «{column}»: esporta di nuovo la lista di check-in con «Include QR-code secret» spuntato e pretix in inglese, oppure gli ordini in JSON.',
  column_needed: 'Al file manca la colonna «{column}»: aggiungila. Un biglietto ha bisogno almeno di «code» e «tier».',
  no_orders: 'Nel file non ci sono ordini: scaricali di nuovo da pretix.',
  not_an_order:
    'L’elemento {entry} del file JSON non viene da pretix: scarica gli ordini dell’evento dalla sua API (.../orders/).',
  tickets_busy:
    'Non è stato importato nulla: qualcos’altro continuava a modificare questi biglietti. Aspetta che l’altra importazione o lo shop finisca, poi riprova.',
  interrupted: 'L’importazione si è interrotta e nulla è stato importato: importa di nuovo il file.',
  tiers_timed_out: 'Ci vuole troppo per esaminare questo file: comincia senza e importalo quando l’evento è creato.',
}
