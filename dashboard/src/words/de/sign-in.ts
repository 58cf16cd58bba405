/** The sentences of signing in that the first screen does without, in German. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Anmelden mit ${host}`,
  elsewhere: (host) => `Zum Anmelden mit ${host} diese Seite unter ihrem Namen öffnen`,
  going: 'Box wird gefragt …',
  empty: 'Name und PIN eingeben.',
  wrong: 'Name oder PIN ist falsch. Noch einmal versuchen oder vom Admin eine neue PIN geben lassen.',
  changeTitle: 'Wer übernimmt?',
  confirmTitle: 'Bitte die PIN',
  confirmText: (name) => `Das lässt sich nicht rückgängig machen. Nur ${name} kann fortfahren.`,
  confirm: 'Fortfahren',
  passkey: 'Mit Passkey anmelden',
  passkeyElsewhere: 'Zum Anmelden mit Passkey diese Seite unter ihrem Namen öffnen',
  passkeyNone: 'Es kam kein Passkey. Noch einmal versuchen oder mit Name und PIN anmelden.',
  passkeyThere: 'Dieses Gerät hat schon einen Passkey für diese Box.',
  passkeyWrong: 'Dieser Passkey gilt hier nicht. Mit Name und PIN anmelden.',
}
