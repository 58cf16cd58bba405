/** Sentences about ways in that cannot be given or used, in Italian. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Un PIN ha almeno {digits} cifre: scegline uno più lungo.',
  pin_easy: 'Questo PIN è uno dei primi che chiunque prova: scegline un altro.',
  password_short:
    'Una password ha almeno {letters} caratteri, un PIN almeno {digits} cifre: scegli qualcosa di più lungo.',
  password_easy: 'Questa password è una delle prime che chiunque prova: scegline un’altra.',
  own_secret_wrong: 'Non è il tuo PIN o la tua password: riprova.',
  role_lacks: 'Il tuo ruolo non lo permette: chiedi a un admin dell’evento.',
  no_pin_to_confirm: 'Non si può annullare, e non hai un PIN per confermare: accedi di nuovo e fallo entro due minuti.',
  own_name_needed: 'Qui nessuno ha fatto l’accesso con il proprio nome: accedi prima con il tuo.',
  taken_off: 'Non sei più nell’elenco dello staff: chiedi a un admin dell’evento.',
  tablet_needs_pin: 'Un tablet si sblocca con un PIN: prima danne uno a questa persona.',
  tablet_link_unknown: 'Il box non conosce questo link: chiedine uno nuovo a un admin.',
  tablet_link_used: 'Questo link è già stato usato: chiedine uno nuovo a un admin.',
  tablet_link_expired: 'Questo link è scaduto: chiedine uno nuovo a un admin.',
  tablet_links_many: 'Ci sono già {most} link non usati: aspetta dieci minuti, poi creane un altro.',
  passkey_needs_pin: 'Una passkey va insieme a un PIN: prima fattene dare uno da un admin.',
  passkey_refused: 'Questa passkey non apre questo box: accedi con nome e PIN.',
  passkey_late: 'Questa passkey è stata iniziata altrove o troppo tempo fa: ricomincia.',
  passkey_invalid: 'Questa passkey non è valida: ricomincia.',
  passkeys_many: 'Una persona può avere {most} passkey in tutto: usa una di quelle.',
  passkey_gone: 'Questa passkey non c’è più: guarda di nuovo l’elenco.',
  no_passkeys: 'Questo box non ha un nome pubblico, e quindi niente passkey: usa nome e PIN.',
  no_role_here: 'Nessuno dei tuoi gruppi ha un ruolo in questo evento: chiedi a chi lo organizza.',
  provider_away:
    'L’accesso dell’organizzatore non risponde, forse il box è senza internet: accedi con nome e PIN, o su un tablet abbinato.',
  provider_unfinished: 'L’accesso presso l’organizzatore non è stato completato: ricomincia.',
  provider_other_issuer:
    'L’accesso dell’organizzatore indica un altro emittente rispetto alle impostazioni del box: un admin deve correggerle.',
  sign_in_over: 'Questo accesso è finito, o è iniziato in un altro browser: ricomincia.',
  tokens_many: 'Il box tiene al massimo {most} token API: non ne crea altri.',
  token_gone: 'Questo token API non c’è più: guarda di nuovo l’elenco.',
}
