/** Sentences about obtaining the certificate for the public name, in Italian. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method:
    'Le impostazioni non dicono come ottenere il certificato, oppure lo si ottiene altrove: vedi certificates.md.',
  no_dns_proof: 'L’autorità non offre la prova via DNS (dns-01): scegline un’altra.',
  record_absent: 'Il record {record} non è arrivato nel DNS.',
  dns_status: 'Il servizio DNS {host} ha risposto con lo stato {status}.',
  dns_unanswered: 'Il servizio DNS {host} non ha risposto ({why}).',
  program_failed: 'Il programma {program} non ha modificato il DNS ({why}).',
  credentials_strange: 'Il file {file} non è la risposta di acme-dns a una registrazione.',
  authority_busy: 'L’autorità per ora rifiuta le richieste (stato {status}).',
  not_usable: 'Il certificato ricevuto non si può usare ({why}).',
  attempt_failed: 'Messaggio ricevuto: «{words}».',
}
