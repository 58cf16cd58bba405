/** Sentences about a ticket file of which nothing can be used, or nothing was, in English. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'The first line is not a row of a table: export the tickets as CSV with a header line, or as JSON from pretix.',
  header_is_ticket: 'The first line looks like a ticket: add a line above it with the names of the columns.',
  quote_open: 'The quotation mark of the cell on line {line} is never closed: close it, or export the file again.',
  quote_inside:
    'A quotation mark stands inside the cell on line {line}: write it twice ("") and the cell in quotation marks, or remove it.',
  web_page: 'This is a web page or XML: sign in to the shop again, and export the tickets as CSV.',
  no_ticket: 'There is no ticket in the file: export it again.',
  json_as_csv: 'This is a JSON file, and {format} is read as CSV: choose “Detect” as the format, or the CSV file.',
  json_broken: 'The file begins like JSON but is broken, perhaps cut off: download it again.',
  other_format: 'The file does not look like {format}, but like {formats}: choose “Detect” as the format.',
  columns_many: 'The file has {columns} columns, and at most {most} can be matched: remove those that no gate needs.',
  column_english: 'This {shop} export has no column “{column}”: export it again, with {shop} set to English.',
  column_absent: 'This {shop} export has no column “{column}”: add it at {shop}, and export again.',
  column_full_code:
    'alf.io exports only half of what its tickets show: add a column “{column}” with the full text of each QR code.',
  column_barcode:
    'The column “{column}” is missing: add it to the attendee report of Eventbrite (not the orders report), and export that in English.',
  column_secret:
    'The column “{column}” is missing: export the check-in list again with “Include QR-code secret” ticked and pretix set to English, or the orders as JSON.',
  column_needed: 'The file has no column “{column}”: add it. A ticket needs at least “code” and “tier”.',
  no_orders: 'There are no orders in the file: fetch them from pretix again.',
  not_an_order:
    'Entry {entry} of the JSON file is nothing of pretix: fetch the orders of the event from its API (.../orders/).',
  tickets_busy:
    'Nothing was imported: something else kept changing these tickets. Wait until the other import or the shop is done, then try again.',
  interrupted: 'The import was interrupted, and nothing was imported: import the file again.',
  tiers_timed_out: 'This file takes too long to look through: begin without it, and import it once the event is made.',
}
