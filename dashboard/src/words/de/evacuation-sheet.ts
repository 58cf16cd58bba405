/** Groups of people that the figures of the evacuation sheet leave out, in German. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned:
    'Wer ohne Scan hineingekommen ist: Crew und Künstler ohne Ticket, und wer durch eine offene Tür gegangen ist.',
  no_way_out:
    'Wer {zone} verlassen hat und in keine andere Zone gegangen ist: Beim Hinausgehen wird dort nicht gescannt, diese Personen zählen weiter als drin.',
  scanners_silent: {
    one: '# Scanner meldet sich nicht: {names}. „Höchstens“ enthält eine Schätzung, wie viele Personen er hineingelassen haben kann.',
    other:
      '# Scanner melden sich nicht: {names}. „Höchstens“ enthält eine Schätzung, wie viele Personen sie hineingelassen haben können.',
  },
  unsent: { one: '# Scan ist noch bei keiner Box angekommen.', other: '# Scans sind noch bei keiner Box angekommen.' },
  box_silent: 'Wer seit dem letzten Kontakt bei {name} gescannt wurde: auch dort nachfragen.',
  box_behind: {
    one: '# Eintrag von {name}, der noch unterwegs ist.',
    other: '# Einträge von {name}, die noch unterwegs sind.',
  },
  passed_back:
    'Tickets, die weitergereicht und zweimal benutzt wurden, und Personen auf Papierlisten, die noch nicht eingetippt sind.',
}
