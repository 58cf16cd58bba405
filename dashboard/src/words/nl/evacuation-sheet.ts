/** Groups of people that the figures of the evacuation sheet leave out, in Dutch. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned: 'Wie zonder scan is binnengekomen: crew en artiesten zonder ticket, en wie door een open deur is gegaan.',
  no_way_out:
    'Mensen die {zone} hebben verlaten en niet naar een andere zone zijn gegaan: daar wordt bij het weggaan niemand gescand, dus ze tellen nog mee als binnen.',
  scanners_silent: {
    one: '# scanner laat niets van zich horen: {names}. ‘Hoogstens’ bevat een schatting van het aantal mensen dat hij kan hebben binnengelaten.',
    other:
      '# scanners laten niets van zich horen: {names}. ‘Hoogstens’ bevat een schatting van het aantal mensen dat ze kunnen hebben binnengelaten.',
  },
  unsent: {
    one: '# scan is nog bij geen enkele box aangekomen.',
    other: '# scans zijn nog bij geen enkele box aangekomen.',
  },
  box_silent: 'Wie sinds het laatste contact bij {name} is gescand: vraag het ook daar na.',
  box_behind: { one: '# regel van {name} die nog onderweg is.', other: '# regels van {name} die nog onderweg zijn.' },
  passed_back:
    'Tickets die zijn doorgegeven en twee keer gebruikt, en mensen op papieren lijsten die nog niet zijn ingetypt.',
}
