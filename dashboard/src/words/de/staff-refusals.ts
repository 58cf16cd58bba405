/** Sentences about ways in that cannot be given or used, in German. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Eine PIN hat mindestens {digits} Ziffern: eine längere wählen.',
  pin_easy: 'Diese PIN probiert jeder als erste: eine andere wählen.',
  password_short: 'Ein Passwort hat mindestens {letters} Zeichen, eine PIN mindestens {digits} Ziffern: länger wählen.',
  password_easy: 'Dieses Passwort probiert jeder als erstes: ein anderes wählen.',
  own_secret_wrong: 'PIN oder Passwort stimmt nicht: noch einmal versuchen.',
  role_lacks: 'Diese Rolle darf das nicht: jemanden mit der Rolle Admin fragen.',
  no_pin_to_confirm:
    'Das lässt sich nicht rückgängig machen, und zum Bestätigen fehlt eine PIN: neu anmelden und innerhalb von zwei Minuten erledigen.',
  own_name_needed: 'Hier ist niemand mit Namen angemeldet: zuerst mit dem eigenen Namen anmelden.',
  taken_off: 'Nicht mehr auf der Liste des Personals: jemanden mit der Rolle Admin fragen.',
  tablet_needs_pin: 'Ein Tablet wird mit einer PIN entsperrt: dieser Person zuerst eine geben.',
  tablet_link_unknown: 'Diesen Link kennt die Box nicht: jemanden mit der Rolle Admin um einen neuen bitten.',
  tablet_link_used: 'Dieser Link wurde schon benutzt: jemanden mit der Rolle Admin um einen neuen bitten.',
  tablet_link_expired: 'Dieser Link ist abgelaufen: jemanden mit der Rolle Admin um einen neuen bitten.',
  tablet_links_many: 'Es gibt schon {most} unbenutzte Links: zehn Minuten warten, dann einen neuen erstellen.',
  passkey_needs_pin: 'Zu einem Passkey gehört eine PIN: sich zuerst eine geben lassen.',
  passkey_refused: 'Dieser Passkey öffnet diese Box nicht: mit Name und PIN anmelden.',
  passkey_late: 'Dieser Passkey wurde anderswo begonnen oder vor zu langer Zeit: noch einmal beginnen.',
  passkey_invalid: 'Dieser Passkey ist nicht gültig: noch einmal beginnen.',
  passkeys_many: 'Mehr als {most} Passkeys bekommt niemand: einen der vorhandenen benutzen.',
  passkey_gone: 'Diesen Passkey gibt es nicht mehr: noch einmal in die Liste sehen.',
  no_passkeys: 'Diese Box hat keinen öffentlichen Namen und deshalb keine Passkeys: Name und PIN benutzen.',
  no_role_here: 'Keine der eigenen Gruppen hat bei dieser Veranstaltung eine Rolle: die Veranstaltungsleitung fragen.',
  provider_away:
    'Die Anmeldung des Veranstalters antwortet nicht, vielleicht ist die Box ohne Internet: mit Name und PIN anmelden oder auf einem gekoppelten Tablet.',
  provider_unfinished: 'Die Anmeldung beim Veranstalter wurde nicht abgeschlossen: noch einmal beginnen.',
  provider_other_issuer:
    'Die Anmeldung des Veranstalters nennt einen anderen Aussteller als die Einstellungen der Box: ein Admin muss sie berichtigen.',
  sign_in_over: 'Diese Anmeldung ist vorbei oder begann in einem anderen Browser: noch einmal beginnen.',
  tokens_many: 'Die Box behält höchstens {most} API-Tokens: weitere gibt es nicht.',
  token_gone: 'Dieses API-Token gibt es nicht mehr: noch einmal in die Liste sehen.',
}
