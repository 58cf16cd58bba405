/** Groups of people that the figures of the evacuation sheet leave out, in English. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned:
    'Anyone who came in without a scan: crew and artists without tickets, and people let through an open door.',
  no_way_out:
    'People who left {zone} and went to no other zone: nobody is scanned on the way out there, so they still count as inside.',
  scanners_silent: {
    one: '# scanner is silent: {names}. “At most” includes an estimate of the people it may have let in.',
    other: '# scanners are silent: {names}. “At most” includes an estimate of the people they may have let in.',
  },
  unsent: { one: '# scan has not reached a box yet.', other: '# scans have not reached a box yet.' },
  box_silent: 'People scanned at {name} since the last contact: ask there too.',
  box_behind: {
    one: '# entry of {name} that is still on its way.',
    other: '# entries of {name} that are still on their way.',
  },
  passed_back:
    'Tickets that were passed back and used twice, and people on paper lists that have not been typed in yet.',
}
