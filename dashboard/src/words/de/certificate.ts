/** Sentences about obtaining the certificate for the public name, in German. */
import type { BoxWords } from '../said.ts'

export const certificateWords: BoxWords['certificate'] = {
  no_method:
    'In den Einstellungen steht nicht, wie das Zertifikat geholt wird, oder es wird anderswo geholt: siehe certificates.md.',
  no_dns_proof: 'Die Zertifizierungsstelle bietet keinen Nachweis über DNS an (dns-01): eine andere wählen.',
  record_absent: 'Der Eintrag {record} ist im DNS nicht angekommen.',
  dns_status: 'Der DNS-Dienst {host} hat mit Status {status} geantwortet.',
  dns_unanswered: 'Der DNS-Dienst {host} hat nicht geantwortet ({why}).',
  program_failed: 'Das Programm {program} hat den DNS-Eintrag nicht geändert ({why}).',
  credentials_strange: 'Die Datei {file} ist nicht die Antwort von acme-dns auf eine Registrierung.',
  authority_busy: 'Die Zertifizierungsstelle nimmt gerade keine Anfragen an (Status {status}).',
  not_usable: 'Das Zertifikat, das kam, ist nicht brauchbar ({why}).',
  attempt_failed: 'Gemeldet wurde: „{words}“.',
}
