/** Sentences about what the screen Event was refused, in English. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'The event has # mistake: correct it first.',
    other: 'The event has # mistakes: correct them first.',
  },
  map_mistaken: {
    one: 'The map has # mistake: correct it first.',
    other: 'The map has # mistakes: correct them first.',
  },
  no_event_yet: 'There is no event yet: save it first.',
  no_restart: 'This box cannot start itself again: start it by hand.',
  map_timed_out:
    'This map takes too long to read here: use a smaller part, or a computer with “gatehouse venue import”.',
  map_changed: 'The map was changed meanwhile: open it again, and repeat the change.',
  checks_many: 'Other drafts are being checked: try again in a moment.',
}
