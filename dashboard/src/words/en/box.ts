/** Sentences for the codes that the box sends, in English. */
import { settingWords } from '@gatehouse/proto/setting-words/en.ts'
import type { BoxWords } from '../said.ts'
import { actRefusalWords } from './act-refusals.ts'
import { certificateWords } from './certificate.ts'
import { evacuationSheetWords } from './evacuation-sheet.ts'
import { eventFileWords } from './event-file.ts'
import { guestListWords } from './guest-list.ts'
import { guideRefusalWords } from './guide-refusals.ts'
import { linkWords } from './link.ts'
import { machineWords } from './machine.ts'
import { mappingWords } from './mapping.ts'
import { paperListWords } from './paper-list.ts'
import { pretixWords } from './pretix.ts'
import { staffRefusalWords } from './staff-refusals.ts'
import { ticketFileWords } from './ticket-file.ts'
import { venueWords } from './venue.ts'

export const boxWords: BoxWords = {
  mode: {
    in_contact: 'The boxes are in contact.',
    forced: 'The control room has forced it.',
    votes_unreachable: 'Most of the boxes that decide do not answer.',
    authority_unknown: 'Another box may have taken over the decision meanwhile.',
    voters_unsynced: 'The boxes that decide do not confirm that they save before they answer.',
    backfilling: 'The boxes that decide are being told who is inside.',
    confirming: {
      one: '# admission is being confirmed with the other boxes.',
      other: '# admissions are being confirmed with the other boxes.',
    },
    arriving: 'News from the other boxes is still arriving.',
    settling: 'The boxes are in contact again. This one waits ten seconds to be sure.',
    refused: 'This box cannot use what {name} sends.',
    refused_more: { one: 'The same goes for # more box.', other: 'The same goes for # more boxes.' },
    silent: '{name}: no contact for {for_ms}.',
    silent_since_start: '{name}: no contact since this box started.',
    silent_more: { one: '# more box is silent.', other: '# more boxes are silent.' },
    no_server: 'No nats-server runs on this box: install the package nats-server, or set GATEHOUSE_NATS_SERVER.',
    server_fails: 'The nats-server of this box does not start.',
  },
  peer: {
    not_signed:
      'Its messages are not signed. If it has an older version, update it. If not, another machine is using its name.',
    stranger: 'A machine that is not on the list of boxes answers in its place: find out which.',
    forged: 'Another machine answers in its place: find out which.',
    other_key: 'Its messages are encrypted for another list of boxes. They can be read once both have the same list.',
    misshapen: 'What it sends is not a record that this box can read. If it has another version, update the older one.',
    history_changed: 'It changed entries that it had sent before: keep its data, and check its record.',
    not_applied: 'This box cannot use what it recorded. The reason is in the log file of this box.',
    copy_refused: 'The copy of its record that {name} has is refused.',
    seal_unsigned: 'Its seal is not signed with its key.',
    seal_differs: {
      one: 'Its seal of # entry does not fit what it sent.',
      other: 'Its seal of # entries does not fit what it sent.',
    },
    two_seals: {
      one: 'It signed two different seals of # entry.',
      other: 'It signed two different seals of # entries.',
    },
    other_event: 'It has another event file: give both the same, and restart the one with the older.',
  },
  boxes: {
    box_alone: 'This box is alone: there is no other one.',
    box_unlisted: 'The box {name} is not on the list any more: look at the list again.',
    last_box: 'The last box of an event cannot be removed.',
    box_outdated: '{name} has an older version, which encrypts nothing: update it first.',
    votes_already: '{name} decides already.',
    in_data_centre: '{name} is in a data centre: boxes that decide have to be at the venue.',
    no_vote: '{name} does not decide: there is nothing to take over from it.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Withdrawn at the gate.',
  },
  event: eventFileWords,
  map: venueWords,
  pretix: pretixWords,
  mapping: mappingWords,
  machine: machineWords,
  certificate: certificateWords,
  link: linkWords,
  paper: paperListWords,
  evacuation: evacuationSheetWords,
  guide: guideRefusalWords,
  setting: settingWords,
  file: ticketFileWords,
  sale: guestListWords,
  import: {
    code_missing: 'The row has no code: fill it in, or remove the row.',
    code_rounded: 'A spreadsheet rounded the code (1.2E+15): use the file as the shop exported it.',
    code_error: 'A spreadsheet replaced the code by an error or by ####: use the file as the shop exported it.',
    code_decimals: 'The code ends in decimals (123.0): export it as text.',
    code_is_date: 'A spreadsheet made a date of the code: use the file as the shop exported it.',
    code_apostrophe: 'The code starts with an apostrophe from a spreadsheet: remove it, or export the code as text.',
    code_rotating: 'This code changes every few seconds (G1:): import the code that the shop printed.',
    code_lost_characters: 'Characters of the code were lost when the file was saved: export it again as CSV UTF-8.',
    code_invisible: 'The code holds an invisible character: remove it.',
    code_too_long: 'The code is longer than {bytes} bytes, too long to scan: check the column.',
    code_formula: 'The code was written as a formula (="..."), and was read without it.',
    code_blanks: 'Blanks around the code were removed.',
    code_scanner_marks: 'What a scanner adds to a code (]Q1, control characters) was removed.',
    code_twice: 'Row {row} has the same code: remove one of the two.',
    digits_rounded:
      'All long codes end in zeros: a spreadsheet has rounded them. Use the file as the shop exported it.',
    digits_short: 'The code is shorter than the others, and none starts with 0: compare it with a printed ticket.',
    tier_missing: 'The row names no ticket type: fill in one of {tiers}.',
    no_tier: '"{name}" fits no ticket type.',
    date_unreadable: '{column} "{text}" is not a date: write 2026-07-04 or 2026-07-04 18:00.',
    dates_swapped: 'valid_until is before valid_from: correct one of the two.',
    not_a_date: '{column} is not a date.',
    status_unknown: 'The status "{status}" is not known: use one of {known}.',
    order_status_unknown: 'The order has a status that is not known ("{status}"): fetch it again.',
    quantity: 'The quantity is "{quantity}", but one code admits one person: export a list with a row for each.',
    row_cut_off: 'The file ends in the middle of this row: download it again.',
    cells_many: 'The row has {cells} cells, the header {header}: put cells that hold a delimiter in quotation marks.',
    qr_incomplete: 'The code is not complete: copy the full text of the QR code.',
    position_broken: 'This ticket of an order is incomplete: fetch the orders from pretix again.',
    position_no_secret: 'The ticket came without a code: fetch the orders with a token that may see codes.',
    test_mode: 'The order was made in test mode. The ticket admits all the same.',
    checked_in: 'Already checked in at the shop. The box does not know that, and will admit it.',
    mapping_unused: 'No ticket is a "{product}": check how it is spelled.',
    left_out_mapped: '"{name}" was left out, as you chose.',
    left_out_extra: '"{name}" is not a ticket and fits no ticket type, so it was left out.',
    text_shortened: 'A long text was shortened.',
    answers_left_out: 'The answers are too long to keep, and were left out.',
    questions_left_out: 'The questions of a product are too long to keep, and were left out.',
    products_many: 'The file names more than {most} products: the others have their key for a name.',
    columns_unused: 'Columns that were not used: {columns}. Known are {known}.',
    no_status_column: 'There is no column "{column}": refunded tickets count as valid.',
    pretix_list:
      'A pretix check-in list has no blocked or cancelled tickets, and no validity times: import the orders from pretix if these matter.',
    pretix_export:
      'This pretix export has no blocked or cancelled tickets, and no validity times: import the orders from pretix if these matter.',
    cancelled_left_out: 'Cancelled tickets are not in this export: revoke those that were imported before by hand.',
    pages_missing: 'The file is one page of several: fetch the others, and import them all.',
    positions_missing:
      'Cancelled tickets are missing: fetch the orders with them, or those imported before stay valid.',
    dates_many: 'The tickets are for {n} dates, and all of them would admit here: fetch the orders of one date.',
    list_never_admits:
      'The check-in list "{list}" of pretix never admits {product}. The box does not know this rule: give the product a ticket type without access there.',
    list_rules:
      'The check-in list "{list}" of pretix has rules for {product} that are not supported ({asked}). Set entries, times and zones of its ticket type to the same.',
    rules_more: 'More rules of check-in lists of pretix concern this product: only the first thousand are named.',
    not_utf8: 'The file is not UTF-8 and was read as Windows-1252: check names with accents.',
    columns_not_kept:
      'The columns that you matched were not kept for the next file: the box cannot write into its event folder.',
    columns_unreadable:
      'The columns matched for earlier files cannot be read, so none of them was used: correct or remove columns.json in the event folder.',
  },
}
