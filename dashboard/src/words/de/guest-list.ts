/** Sentences about lines of a guest list, and about limits of sales, in German. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'Die Zeile hat keinen Namen: ihn an den Anfang setzen.',
  name_long: 'Der Name hat mehr als {most} Zeichen: Ist das ein einziger Gast?',
  name_strange: 'Im Namen ist ein Zeichen, das sich nicht drucken lässt: neu eintippen.',
  name_twice: '„{name}“ steht schon in Zeile {line}: eine löschen oder dort +N schreiben.',
  plus_twice: 'Zwei Zahlen in einer Zeile: +N nur einmal schreiben, für die Begleitung von {name}.',
  plus_large: '+{plus} ist zu viel für einen Gast: höchstens {most}.',
  tier_strange: 'Die Ticketart „{tier}“ gibt es nicht: eine von {tiers} schreiben.',
  tier_twice: 'Zwei Ticketarten in einer Zeile: jedem Gast eine eigene Zeile geben.',
  tier_open: 'Die Ticketart für Zeilen ohne Angabe wählen.',
  list_long: 'Eine Liste hat höchstens {most} Gäste: ab hier eine neue beginnen.',
  tier_full: '{tier}: am Tor noch {left} von {most} zu haben, gewünscht: {wanted}.',
  zone_full: '{zone}: {inside} von {most} Personen sind drin, {coming} kämen dazu.',
}
