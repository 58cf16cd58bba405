/** Sentences about ways in that cannot be given or used, in Dutch. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Een pincode heeft minstens {digits} cijfers: kies een langere.',
  pin_easy: 'Deze pincode probeert iedereen als eerste: kies een andere.',
  password_short:
    'Een wachtwoord heeft minstens {letters} tekens, een pincode minstens {digits} cijfers: kies iets langers.',
  password_easy: 'Dit wachtwoord probeert iedereen als eerste: kies een ander.',
  own_secret_wrong: 'Dit is niet je pincode of wachtwoord: probeer het opnieuw.',
  role_lacks: 'Je rol mag dit niet: vraag een admin van het evenement.',
  no_pin_to_confirm:
    'Dit is niet terug te draaien, en je hebt geen pincode om te bevestigen: log opnieuw in en doe het binnen twee minuten.',
  own_name_needed: 'Hier is niemand met een naam ingelogd: log eerst in met je eigen naam.',
  taken_off: 'Je staat niet meer op de personeelslijst: vraag een admin van het evenement.',
  tablet_needs_pin: 'Een tablet wordt ontgrendeld met een pincode: geef deze persoon er eerst een.',
  tablet_link_unknown: 'De box kent deze link niet: vraag een admin om een nieuwe.',
  tablet_link_used: 'Deze link is al gebruikt: vraag een admin om een nieuwe.',
  tablet_link_expired: 'Deze link is verlopen: vraag een admin om een nieuwe.',
  tablet_links_many: 'Er zijn al {most} ongebruikte links: wacht tien minuten en maak dan een nieuwe.',
  passkey_needs_pin: 'Bij een passkey hoort een pincode: vraag er eerst een aan een admin.',
  passkey_refused: 'Deze passkey opent deze box niet: log in met naam en pincode.',
  passkey_late: 'Deze passkey is ergens anders begonnen of te lang geleden: begin opnieuw.',
  passkey_invalid: 'Deze passkey is niet geldig: begin opnieuw.',
  passkeys_many: 'Een persoon kan in totaal {most} passkeys hebben: gebruik een daarvan.',
  passkey_gone: 'Die passkey is er niet meer: bekijk de lijst opnieuw.',
  no_passkeys: 'Deze box heeft geen openbare naam en dus geen passkeys: gebruik naam en pincode.',
  no_role_here: 'Geen van je groepen heeft een rol bij dit evenement: vraag de organisatie.',
  provider_away:
    'De login van de organisator antwoordt niet; misschien heeft de box geen internet: log in met naam en pincode, of op een gekoppelde tablet.',
  provider_unfinished: 'De login bij de organisator is niet afgerond: begin opnieuw.',
  provider_other_issuer:
    'De login van de organisator noemt een andere uitgever dan de instellingen van de box: een admin moet ze verbeteren.',
  sign_in_over: 'Deze login is voorbij of begon in een andere browser: begin opnieuw.',
  tokens_many: 'De box bewaart hoogstens {most} API-tokens: meer maakt hij niet.',
  token_gone: 'Dat API-token is er niet meer: bekijk de lijst opnieuw.',
}
