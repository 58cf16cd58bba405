/** Sentences about obtaining the certificate for the public name, in English. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method:
    'The settings do not say how the certificate is obtained, or it is obtained elsewhere: see certificates.md.',
  no_dns_proof: 'The authority offers no proof by DNS (dns-01): choose another one.',
  record_absent: 'The record {record} did not come into DNS.',
  dns_status: 'The DNS service at {host} answered with status {status}.',
  dns_unanswered: 'The DNS service at {host} did not answer ({why}).',
  program_failed: 'The program {program} did not change DNS ({why}).',
  credentials_strange: 'The file {file} is not what acme-dns answers to a registration.',
  authority_busy: 'The authority refuses requests for now (status {status}).',
  not_usable: 'The certificate that came cannot be used ({why}).',
  attempt_failed: 'Reported: “{words}”.',
}
