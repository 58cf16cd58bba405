/** Sentences about updates and backups of the appliance that have failed, in Dutch. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Deze update is voor een ander soort apparaat: neem die voor deze box.',
  signed_wrongly:
    'Toen deze update werd ondertekend, was het certificaat ervan niet geldig: vraag de maker van de software om een nieuwe.',
  not_signed: 'Deze update is niet ondertekend door de maker van deze software: haal hem alleen daar.',
  damaged: 'Dit is geen update, of hij is beschadigd: download hem opnieuw en stuur hem nog een keer.',
  too_large: 'Deze update is groter dan zijn plek in de box: neem die voor deze box.',
  fell_back: 'De nieuwe versie meldde niet op tijd dat hij werkt, dus ging de box terug naar de vorige.',
  older:
    'Deze update is versie {version}, en de box heeft de nieuwere {running}: kies een nieuwere, of installeer deze toch.',
  own_unknown:
    'De box weet niet welke versie draait, en dus niet of deze ouder is: schrijf een nieuwe kaart en zet de laatste back-up terug.',
  update_too_large: 'Dit bestand is groter dan elke update: kies een ander.',
  no_room: 'Er is niet genoeg vrije ruimte in de box: neem een grotere kaart.',
  broke_off: 'Het brak halverwege af: probeer het opnieuw.',
  unanswered: 'Het apparaat antwoordt niet: herstart het en probeer het opnieuw.',
  no_file: 'Het bestand is er niet meer: kies het opnieuw.',
  no_stick: 'De stick is niet te lezen: haal hem eruit en doe hem er weer in, geformatteerd als FAT32.',
  stick_full: 'Er is niet genoeg ruimte op de stick: neem een andere.',
  stick_failed: 'Op de stick kon niet worden geschreven: neem een andere.',
  no_other: 'In de box zit geen oudere versie om naar terug te gaan.',
  failed: 'Dat lukte niet ({detail}): probeer het opnieuw en herstart daarna de box.',
  failed_somehow: 'Dat lukte niet: probeer het opnieuw en herstart daarna de box.',
  no_backup: 'De back-up lukte niet: kijk naar de vrije ruimte en probeer het opnieuw.',
  update_empty: 'Dit bestand is leeg: kies het opnieuw.',
  not_on_stick: 'Deze update staat niet meer op de stick: doe de stick er opnieuw in.',
  stick_absent: 'Er zit geen stick in de box: doe er een in, geformatteerd als FAT32.',
  other_failed: 'De andere versie startte niet toen die werd geprobeerd: installeer in plaats daarvan een update.',
  recipient_bad:
    'Ontvanger {number} is geen geldige publieke sleutel van age. Die begint met age1: kopieer hem opnieuw met “age-keygen -y”.',
  machine_unasked: 'De box kan het apparaat niets vragen: herstart de box en probeer het opnieuw.',
  machine_stops: 'De box wordt afgesloten: probeer het opnieuw als hij weer draait.',
  clock_strange: 'De datum van dit apparaat klopt niet: zet eerst de klok goed.',
}
