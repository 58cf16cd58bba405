/** Sentences about ways in that cannot be given or used, in English. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'A PIN has at least {digits} digits: choose a longer one.',
  pin_easy: 'This PIN is one of the first that anybody tries: choose another one.',
  password_short: 'A password has at least {letters} characters, a PIN at least {digits} digits: choose a longer one.',
  password_easy: 'This password is one of the first that anybody tries: choose another one.',
  own_secret_wrong: 'This is not your PIN or password: try again.',
  role_lacks: 'Your role does not include this: ask an admin of the event.',
  no_pin_to_confirm:
    'This cannot be undone, and you have no PIN to confirm it with: sign in again, and do it within two minutes.',
  own_name_needed: 'Nobody is signed in with a name here: sign in with your own name first.',
  taken_off: 'You were taken off the list of staff: ask an admin of the event.',
  tablet_needs_pin: 'A tablet is unlocked with a PIN: give this person one first.',
  tablet_link_unknown: 'This box does not know this link: ask an admin for a new one.',
  tablet_link_used: 'This link has been used: ask an admin for a new one.',
  tablet_link_expired: 'This link has expired: ask an admin for a new one.',
  tablet_links_many: 'There are {most} unused links already: wait ten minutes, then make another one.',
  passkey_needs_pin: 'Whoever adds a passkey needs a PIN too: ask an admin to give you one first.',
  passkey_refused: 'This passkey does not open this box: sign in with name and PIN.',
  passkey_late: 'This passkey was begun elsewhere, or too long ago: begin again.',
  passkey_invalid: 'This passkey is not valid: begin again.',
  passkeys_many: 'A person may have had {most} passkeys in all: use one of those.',
  passkey_gone: 'There is no such passkey any more: look at the list again.',
  no_passkeys: 'This box has no public name, and so no passkeys: use name and PIN.',
  no_role_here: 'None of your groups has a role at this event: ask who runs it.',
  provider_away:
    'The organiser’s sign-in does not answer: this box may be without internet. Sign in with name and PIN, or on a paired tablet.',
  provider_unfinished: 'The organiser’s sign-in was not completed: begin again.',
  provider_other_issuer:
    'The organiser’s sign-in names another issuer than the settings of this box: an admin has to correct them.',
  sign_in_over: 'This sign-in is over, or began in another browser: begin again.',
  tokens_many: 'The box keeps {most} API tokens: it makes no more.',
  token_gone: 'There is no such API token any more: look at the list again.',
}
