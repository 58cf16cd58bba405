/** Sentences about obtaining the certificate for the public name, in Dutch. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method:
    'In de instellingen staat niet hoe het certificaat wordt opgehaald, of het wordt elders opgehaald: zie certificates.md.',
  no_dns_proof: 'De autoriteit biedt geen bewijs via DNS (dns-01): kies een andere.',
  record_absent: 'Record {record} is niet in DNS verschenen.',
  dns_status: 'De DNS-dienst {host} antwoordde met status {status}.',
  dns_unanswered: 'De DNS-dienst {host} antwoordde niet ({why}).',
  program_failed: 'Programma {program} heeft DNS niet gewijzigd ({why}).',
  credentials_strange: 'Bestand {file} is niet wat acme-dns op een registratie antwoordt.',
  authority_busy: 'De autoriteit weigert nu verzoeken (status {status}).',
  not_usable: 'Het ontvangen certificaat is onbruikbaar ({why}).',
  attempt_failed: 'Gemeld werd: ‘{words}’.',
}
