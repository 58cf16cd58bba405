/** Sentences about ways in that cannot be given or used, in French. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Un code PIN a au moins {digits} chiffres : choisissez-en un plus long.',
  pin_easy: 'Ce code PIN est l’un des premiers que l’on essaie : choisissez-en un autre.',
  password_short:
    'Un mot de passe a au moins {letters} caractères, un code PIN au moins {digits} chiffres : choisissez plus long.',
  password_easy: 'Ce mot de passe est l’un des premiers que l’on essaie : choisissez-en un autre.',
  own_secret_wrong: 'Ce n’est pas votre code PIN ni votre mot de passe : réessayez.',
  role_lacks: 'Votre rôle ne le permet pas : demandez à un admin de l’événement.',
  no_pin_to_confirm:
    'C’est sans retour, et vous n’avez pas de code PIN pour confirmer : reconnectez-vous et faites-le dans les deux minutes.',
  own_name_needed: 'Personne n’est connecté ici à son nom : connectez-vous d’abord avec le vôtre.',
  taken_off: 'Vous n’êtes plus sur la liste de l’équipe : demandez à un admin de l’événement.',
  tablet_needs_pin: 'Une tablette se déverrouille avec un code PIN : donnez-en d’abord un à cette personne.',
  tablet_link_unknown: 'Le boîtier ne connaît pas ce lien : demandez-en un nouveau à un admin.',
  tablet_link_used: 'Ce lien a déjà servi : demandez-en un nouveau à un admin.',
  tablet_link_expired: 'Ce lien a expiré : demandez-en un nouveau à un admin.',
  tablet_links_many: 'Il y a déjà {most} liens inutilisés : attendez dix minutes, puis créez-en un autre.',
  passkey_needs_pin: 'Une clé d’accès va avec un code PIN : demandez-en d’abord un à un admin.',
  passkey_refused: 'Cette clé d’accès n’ouvre pas ce boîtier : connectez-vous avec nom et code PIN.',
  passkey_late: 'Cette clé d’accès a été commencée ailleurs, ou il y a trop longtemps : recommencez.',
  passkey_invalid: 'Cette clé d’accès n’est pas valable : recommencez.',
  passkeys_many: 'Une personne peut avoir {most} clés d’accès en tout : utilisez l’une d’elles.',
  passkey_gone: 'Cette clé d’accès n’existe plus : regardez de nouveau la liste.',
  no_passkeys: 'Ce boîtier n’a pas de nom public, donc pas de clés d’accès : utilisez nom et code PIN.',
  no_role_here: 'Aucun de vos groupes n’a de rôle à cet événement : demandez à l’organisation.',
  provider_away:
    'La connexion de l’organisateur ne répond pas, le boîtier est peut-être sans internet : connectez-vous avec nom et code PIN, ou sur une tablette associée.',
  provider_unfinished: 'La connexion chez l’organisateur n’a pas abouti : recommencez.',
  provider_other_issuer:
    'La connexion de l’organisateur annonce un autre émetteur que les réglages du boîtier : un admin doit les corriger.',
  sign_in_over: 'Cette connexion est terminée, ou a commencé dans un autre navigateur : recommencez.',
  tokens_many: 'Le boîtier garde {most} jetons d’API au plus : il n’en crée pas d’autre.',
  token_gone: 'Ce jeton d’API n’existe plus : regardez de nouveau la liste.',
}
