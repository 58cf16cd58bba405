/** Sentences about obtaining the certificate for the public name, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method: 'As definições não dizem como obter o certificado, ou ele é obtido noutro sítio: veja certificates.md.',
  no_dns_proof: 'A autoridade não oferece prova por DNS (dns-01): escolha outra.',
  record_absent: 'O registo {record} não chegou ao DNS.',
  dns_status: 'O serviço DNS {host} respondeu com o estado {status}.',
  dns_unanswered: 'O serviço DNS {host} não respondeu ({why}).',
  program_failed: 'O programa {program} não alterou o DNS ({why}).',
  credentials_strange: 'O ficheiro {file} não é a resposta do acme-dns a um registo.',
  authority_busy: 'A autoridade recusa pedidos por agora (estado {status}).',
  not_usable: 'O certificado recebido não serve ({why}).',
  attempt_failed: 'Mensagem recebida: «{words}».',
}
