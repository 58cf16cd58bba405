/** Sentences about acts of the control room that are refused, in English. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'People were let in within the last 30 minutes, and whoever enters in a rehearsal is not counted: make sure that no gate is open.',
  event_begun: 'The event has begun, and whoever enters in a rehearsal is not counted: make sure that no gate is open.',
  ticket_changed: '{actor} changed this ticket at {time} UTC: look at it again, then decide.',
  ticket_claimed: 'A phone claimed this ticket at {time} UTC: look at it again, then decide.',
  ticket_changed_by_shop: 'The ticket shop changed this ticket at {time} UTC: look at it again, then decide.',
  ticket_changed_elsewhere: 'Somebody changed this ticket at another box: look at it again, then decide.',
  gate_unknown: 'This event has no such gate: reload the page.',
  no_pretixscan: 'This box serves no pretixSCAN: set GATEHOUSE_PRETIXSCAN_PORT, and start the box again.',
  record_uncountable:
    'An entry of the record was changed, and nobody can count it: run “gatehouse verify”, and keep this ledger as it is.',
  box_closing: 'The box is closing: ask again when it is back.',
  ticket_was_revoked: '{actor} revoked this ticket at {time} UTC: look at it again, then decide.',
  ticket_was_reinstated: '{actor} reinstated this ticket at {time} UTC: look at it again, then decide.',
  ticket_was_reissued: '{actor} reissued this ticket at {time} UTC: look at it again, then decide.',
  ticket_was_forgotten: '{actor} erased the holder of this ticket at {time} UTC: look at it again, then decide.',
  claim_was_released: '{actor} released this ticket from its phone at {time} UTC: look at it again, then decide.',
  search_broken: 'The search cannot be used: look whether the disk is full.',
}
