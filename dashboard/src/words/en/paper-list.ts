/** Sentences about a paper list that was typed in, in English. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'A short code has eight characters: compare it with the sheet.',
  code_sign: 'Short codes have no 0, 1, I, L or O: compare it with the sheet.',
  code_check: 'A character is wrong, or two are swapped: compare it with the sheet.',
  code_unknown: 'No ticket for this event has this code: check it against the sheet.',
  code_of_two: 'Two tickets have this code: look the person up by name.',
  other_gate: 'This ticket type is not for {checkpoint}: is it the sheet of another gate?',
  event_changed: 'The event has changed since: its ticket or its entrance is gone.',
  sheet_of_other: 'This ticket was typed in from the same sheet for another entrance: a sheet is for one gate.',
  sheet_length: 'A sheet number has six characters: it is at the top of every page.',
  sheet_sign: 'A sheet number has no 0, 1, I, L or O: it is at the top of every page.',
  sheet_check: 'The sheet number has a wrong character: compare it with the top of the page.',
  used_too_long: 'The sheet was in use for more than a day: check both times, and their day.',
  entrance_gone: 'This event has no such entrance: load the page again, and choose another one.',
  gate_gone: 'This event has no such gate: load the page again, and choose another one.',
  closing: 'The box is closing: type the sheet in again when it is open.',
}
