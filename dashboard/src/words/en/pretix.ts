/** Sentences about a pretix that cannot be read, told or connected, in English. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix says: “{words}”.',
  certificate_name:
    'The certificate of {host} is for another name: use the address that the certificate names, or correct the certificate.',
  certificate_time:
    'The certificate of {host} is not valid at this time ({why}): renew it, or set the clock of the box.',
  certificate_unknown:
    'The box does not trust the authority that signed the certificate of {host} ({why}): if it is a private one, give its PEM file when connecting.',
  no_address: '{host} is not found: check the address, and the DNS of the box.',
  port_closed: 'Nothing answers at {host}: check that pretix runs, and the port.',
  no_answer: '{host} cannot be reached ({why}): check the network.',
  timed_out: '{host} has not answered everything within {minutes} minutes: try again later.',
  token_refused:
    'pretix does not accept the token: make a new one there, and connect again. What happens at the gates waits.',
  token_forbidden:
    'The token may not use {path}: give its team or device the right in pretix (view orders, check-ins), or connect with another token.',
  token_no_checkins:
    'The token may not write check-ins: give its team “can check in orders”, or the device the profile “full”. What has happened waits.',
  token_no_organizer: 'The token sees no organizer: give its team or device access in pretix.',
  token_no_event: 'The token sees no event: give its team or device access in pretix.',
  token_missing: 'The token is missing, and the box has none for this address: enter it.',
  token_of_device:
    'pretix does not know this device token, or it was used before: make a new device in pretix, and use its token.',
  busy: 'pretix is busy. The box asks again soon.',
  busy_ask_again: 'pretix is busy: try again in a minute.',
  fails: 'pretix has a problem of its own (HTTP {status}). The box asks again soon.',
  fails_ask_again: 'pretix has a problem of its own (HTTP {status}): try again later.',
  redirects: '{host} leads to another address: connect with that one.',
  not_pretix:
    'Something other than pretix answers at {host} (HTTP {status}): check the address, and whether a proxy or a login page stands in front of it.',
  not_json: 'An answer is not pretix’s (HTTP {status}): check what stands in front of pretix.',
  not_there:
    'pretix has no {path}, or the token does not see it: check the names, and what its team or device may use.',
  not_taken: 'pretix does not take {path} (HTTP {status}).',
  list_too_long: '{host} has more than {most} entries under {path}: more than the box can hold.',
  address_strange: 'This is not a web address: write it as https://pretix.example.',
  address_more: 'The address has too much in it: write it as https://pretix.example, without user, ? and #.',
  address_http: 'With http the network would see the token: write the address with https.',
  no_dates: 'This event has no dates to choose from.',
  series_empty: 'The series has no dates yet: add them in pretix first.',
  date_unknown: 'The series has no date {date}. Choose one of these: {dates}.',
  list_gone: 'pretix has no check-in list {list} any more: choose another for its checkpoints in pretix.yaml.',
  event_gone: 'pretix does not know this event any more: connect it again. What has happened at the gates waits.',
  other_shop:
    'This box follows the database of a shop (shop.yaml), and takes one shop: remove that file first, or use another box.',
  connection_damaged: 'The file with the connection is damaged: connect pretix again.',
  authority_unreadable: 'The file of the authority cannot be read ({why}): {path}.',
  authority_missing:
    'This file has no certificate: choose the PEM file of the authority that signed the one of pretix.',
  event_not_proposed: 'What pretix has is not enough for an event: make it on the screen Event first.',
  box_fails: 'The box could not take what pretix says: the reason is in its log file.',
  box_cannot_write: 'The box cannot write its files ({why}): look at its folders and disk.',
}
