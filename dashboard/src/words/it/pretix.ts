/** Sentences about a pretix that cannot be read, told or connected, in Italian. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix risponde: «{words}».',
  certificate_name: 'Il certificato di {host} è per un altro nome: usa l’indirizzo che indica, o correggilo.',
  certificate_time:
    'Il certificato di {host} non vale in questo momento ({why}): rinnovalo, o regola l’orologio del box.',
  certificate_unknown:
    'Il box non si fida dell’autorità che ha firmato il certificato di {host} ({why}): se è privata, dai il suo file PEM quando colleghi.',
  no_address: '{host} non si trova: controlla l’indirizzo e il DNS del box.',
  port_closed: 'A {host} non risponde niente: controlla che pretix funzioni, e la porta.',
  no_answer: '{host} non è raggiungibile ({why}): controlla la rete.',
  timed_out: '{host} non ha inviato tutto in {minutes} minuti: riprova più tardi.',
  token_refused:
    'pretix non accetta il token: creane uno nuovo lì e ricollega. Ciò che succede ai varchi resta in attesa.',
  token_forbidden:
    'Il token non può usare {path}: dai il permesso al suo team o dispositivo in pretix (vedere gli ordini, check-in), o collega con un altro token.',
  token_no_checkins:
    'Il token non può registrare gli ingressi: dai al suo team il permesso di check-in, o al dispositivo il profilo «full». Ciò che è successo resta in attesa.',
  token_no_organizer: 'Il token non vede nessun organizzatore: dai accesso al suo team o dispositivo in pretix.',
  token_no_event: 'Il token non vede nessun evento: dai accesso al suo team o dispositivo in pretix.',
  token_missing: 'Manca il token, e il box non ne ha per questo indirizzo: inseriscilo.',
  token_of_device:
    'pretix non conosce questo token di dispositivo, o è già stato usato: crea un nuovo dispositivo in pretix e usa il suo token.',
  busy: 'pretix è sovraccarico. Il box riprova tra poco.',
  busy_ask_again: 'pretix è sovraccarico: riprova tra un minuto.',
  fails: 'pretix ha un suo problema (HTTP {status}). Il box riprova tra poco.',
  fails_ask_again: 'pretix ha un suo problema (HTTP {status}): riprova più tardi.',
  redirects: '{host} porta a un altro indirizzo: collega con quello.',
  not_pretix:
    'A {host} risponde qualcosa che non è pretix (HTTP {status}): controlla l’indirizzo, e se davanti c’è un proxy o una pagina di accesso.',
  not_json: 'Una risposta non è di pretix (HTTP {status}): guarda che cosa c’è davanti a pretix.',
  not_there:
    'pretix non ha {path}, o il token non lo vede: controlla i nomi e ciò che può usare il suo team o dispositivo.',
  not_taken: 'pretix non accetta {path} (HTTP {status}).',
  list_too_long: '{host} ha più di {most} voci in {path}: nel box non entrano.',
  address_strange: 'Questo non è un indirizzo web: scrivilo come https://pretix.example.',
  address_more: 'Nell’indirizzo c’è qualcosa di troppo: scrivilo come https://pretix.example, senza utente, ? e #.',
  address_http: 'Con http la rete vedrebbe il token: scrivi l’indirizzo con https.',
  no_dates: 'Questo evento non ha date da scegliere.',
  series_empty: 'La serie non ha ancora date: aggiungile prima in pretix.',
  date_unknown: 'La serie non ha la data {date}. Scegline una di queste: {dates}.',
  list_gone:
    'La lista di check-in {list} in pretix non c’è più: scegline un’altra per le sue postazioni in pretix.yaml.',
  event_gone: 'pretix non conosce più questo evento: ricollegalo. Ciò che è successo ai varchi resta in attesa.',
  other_shop:
    'Questo box segue già il database di uno shop (shop.yaml) e ne accetta uno solo: togli prima quel file, o usa un altro box.',
  connection_damaged: 'Il file del collegamento è danneggiato: ricollega pretix.',
  authority_unreadable: 'Il file dell’autorità non si legge ({why}): {path}.',
  authority_missing:
    'In questo file non c’è un certificato: scegli il PEM dell’autorità che ha firmato quello di pretix.',
  event_not_proposed: 'Con ciò che c’è in pretix non si fa un evento: crealo prima nella schermata Evento.',
  box_fails: 'Il box non ha potuto applicare ciò che invia pretix: il motivo è nel suo file di log.',
  box_cannot_write: 'Il box non può scrivere i suoi file ({why}): guarda le sue cartelle e il disco.',
}
