/** Sentences about lines of a guest list, and about limits of sales, in English. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'The line has no name: put it first.',
  name_long: 'The name is longer than {most} characters: is this one guest?',
  name_strange: 'The name has a character that cannot be printed: type it again.',
  name_twice: '“{name}” is in line {line} already: remove one, or write +N there.',
  plus_twice: 'Two numbers in one line: write +N once, for the people {name} brings.',
  plus_large: '+{plus} is too many for one guest: {most} at most.',
  tier_strange: 'There is no ticket type “{tier}”: write one of {tiers}.',
  tier_twice: 'Two ticket types in one line: give each guest a line.',
  tier_open: 'Choose the ticket type for lines that name none.',
  list_long: 'A list has at most {most} guests: start another one from here.',
  tier_full: '{tier}: {left} of {most} left for sale at the gate, {wanted} wanted.',
  zone_full: '{zone}: {inside} of {most} people are inside, and {coming} more would come.',
}
