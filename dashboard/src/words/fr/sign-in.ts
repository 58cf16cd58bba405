/** The sentences of signing in that the first screen does without, in French. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Se connecter avec ${host}`,
  elsewhere: (host) => `Pour se connecter avec ${host}, ouvrez cette page par son nom`,
  going: 'Attente du boîtier…',
  empty: 'Saisissez votre nom et votre PIN.',
  wrong: 'Nom ou PIN incorrect. Réessayez, ou demandez un nouveau PIN à un admin.',
  changeTitle: 'Qui prend la suite ?',
  confirmTitle: 'Votre PIN, s’il vous plaît',
  confirmText: (name) => `C’est irréversible. Seul ${name} peut continuer.`,
  confirm: 'Continuer',
  passkey: 'Se connecter avec une clé d’accès',
  passkeyElsewhere: 'Pour se connecter avec une clé d’accès, ouvrez cette page par son nom',
  passkeyNone: 'Aucune clé d’accès reçue. Réessayez, ou utilisez votre nom et votre PIN.',
  passkeyThere: 'Cet appareil a déjà une clé d’accès pour vous.',
  passkeyWrong: 'Cette clé d’accès ne marche pas ici. Utilisez votre nom et votre PIN.',
}
