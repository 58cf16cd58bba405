/** The sentences of signing in that the first screen does without, in Dutch. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Aanmelden met ${host}`,
  elsewhere: (host) => `Open deze pagina via de openbare naam om je aan te melden met ${host}`,
  going: 'Wachten op de box…',
  empty: 'Typ je naam en je pincode.',
  wrong: 'Naam of pincode klopt niet. Probeer het opnieuw, of vraag een admin om een nieuwe pincode.',
  changeTitle: 'Wie neemt het over?',
  confirmTitle: 'Je pincode',
  confirmText: (name) => `Dit kan niet ongedaan worden gemaakt. Alleen ${name} kan verder.`,
  confirm: 'Verder',
  passkey: 'Aanmelden met een passkey',
  passkeyElsewhere: 'Open deze pagina via de openbare naam om je aan te melden met een passkey',
  passkeyNone: 'Er kwam geen passkey. Probeer het opnieuw, of meld je aan met naam en pincode.',
  passkeyThere: 'Dit apparaat heeft al een passkey voor jou.',
  passkeyWrong: 'Deze passkey werkt hier niet. Meld je aan met naam en pincode.',
}
