/** Sentences about obtaining the certificate for the public name, in French. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method:
    'Les réglages ne disent pas comment obtenir le certificat, ou il est obtenu ailleurs : voyez certificates.md.',
  no_dns_proof: 'L’autorité ne propose pas de preuve par DNS (dns-01) : choisissez-en une autre.',
  record_absent: 'L’enregistrement {record} n’est pas arrivé dans le DNS.',
  dns_status: 'Le service DNS {host} a répondu avec le statut {status}.',
  dns_unanswered: 'Le service DNS {host} n’a pas répondu ({why}).',
  program_failed: 'Le programme {program} n’a pas modifié le DNS ({why}).',
  credentials_strange: 'Le fichier {file} n’est pas la réponse d’acme-dns à une inscription.',
  authority_busy: 'L’autorité refuse les demandes pour le moment (statut {status}).',
  not_usable: 'Le certificat reçu ne peut pas servir ({why}).',
  attempt_failed: 'Message reçu : « {words} ».',
}
