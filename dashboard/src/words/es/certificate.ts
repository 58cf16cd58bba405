/** Sentences about obtaining the certificate for the public name, in Spanish. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method: 'Los ajustes no dicen cómo obtener el certificado, o se obtiene en otro sitio: mira certificates.md.',
  no_dns_proof: 'La autoridad no ofrece prueba por DNS (dns-01): elige otra.',
  record_absent: 'El registro {record} no llegó al DNS.',
  dns_status: 'El servicio DNS {host} respondió con el estado {status}.',
  dns_unanswered: 'El servicio DNS {host} no respondió ({why}).',
  program_failed: 'El programa {program} no cambió el DNS ({why}).',
  credentials_strange: 'El archivo {file} no es lo que responde acme-dns a un registro.',
  authority_busy: 'La autoridad rechaza peticiones por ahora (estado {status}).',
  not_usable: 'El certificado recibido no sirve ({why}).',
  attempt_failed: 'Mensaje recibido: «{words}».',
}
