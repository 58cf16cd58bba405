/** Sentences about updates and backups of the appliance that have failed, in English. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'This update is for another kind of machine: get the one for this box.',
  signed_wrongly:
    'When this update was signed, its certificate was not valid: ask the maker of the software for a new one.',
  not_signed: 'This update is not signed by the maker of this software: get it from there, and not from elsewhere.',
  damaged: 'This is not an update, or it is damaged: download it again, then send it again.',
  too_large: 'This update is larger than its place in the box: get the one for this box.',
  fell_back: 'The new version did not report itself well in time, so the box went back to the one before.',
  older:
    'This update is version {version}, and the box has the newer {running}: choose a newer one, or install this one all the same.',
  own_unknown:
    'The box cannot tell which version runs, and so not whether this one is older: flash a new card, and restore the last backup.',
  update_too_large: 'This file is larger than any update: choose another one.',
  no_room: 'There is not enough free room in the box: take a larger card.',
  broke_off: 'It broke off half way: try again.',
  unanswered: 'The machine does not answer: restart it, then try again.',
  no_file: 'The file is not there any more: choose it again.',
  no_stick: 'The stick cannot be read: pull it out and put it in again, formatted as FAT32.',
  stick_full: 'There is not enough room on the stick: take another one.',
  stick_failed: 'The stick could not be written: take another one.',
  no_other: 'There is no older version in the box to go back to.',
  failed: 'It did not work ({detail}): try again, then restart the box.',
  failed_somehow: 'It did not work: try again, then restart the box.',
  no_backup: 'The backup could not be made: look at the free room on the disk, then try again.',
  update_empty: 'This file is empty: choose it again.',
  not_on_stick: 'This update is not on the stick any more: put the stick in again.',
  stick_absent: 'There is no stick in the box: put one in, formatted as FAT32.',
  other_failed: 'The other version did not start when it was tried: install an update instead.',
  recipient_bad:
    'Recipient {number} is not a valid age public key. It begins with age1: copy it again from “age-keygen -y”.',
  machine_unasked: 'The machine cannot be asked: restart the box, then try again.',
  machine_stops: 'The box is being stopped: try again when it is up.',
  clock_strange: 'The date of this device is wrong: set its clock first.',
}
