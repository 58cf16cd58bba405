/** The sentences of signing in that the first screen does without, in Italian. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Accedi con ${host}`,
  elsewhere: (host) => `Per accedere con ${host}, apri questa pagina con il nome pubblico del box`,
  going: 'Chiedo al box…',
  empty: 'Inserisci nome e PIN.',
  wrong: 'Nome o PIN sbagliato. Riprova, o chiedi un nuovo PIN a un admin.',
  changeTitle: 'Chi subentra?',
  confirmTitle: 'Il tuo PIN',
  confirmText: (name) => `Non si può annullare. Può continuare solo ${name}.`,
  confirm: 'Continua',
  passkey: 'Accedi con una passkey',
  passkeyElsewhere: 'Per accedere con una passkey, apri questa pagina con il nome pubblico del box',
  passkeyNone: 'Nessuna passkey ricevuta. Riprova, o accedi con nome e PIN.',
  passkeyThere: 'Questo dispositivo ha già una tua passkey.',
  passkeyWrong: 'Questa passkey qui non vale. Accedi con nome e PIN.',
}
