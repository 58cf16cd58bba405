/** Sentences about the link to headquarters and from the shop, in English. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'The change feed of this box was never started: start it.',
  feed_unanswered: 'The change feed of this box does not answer: look whether it runs.',
  feed_status: 'The change feed of this box answers with status {status}: look into its log.',
  feed_before_hq: 'The change feed was started before headquarters was set: restart it.',
  record_unread: 'The change feed cannot read the record of this box.',
  hq_away: 'Headquarters does not answer.',
  hq_refuses: 'Headquarters does not take what this box sends.',
  shop_refused: 'The box could not take what the shop sent.',
  reported: 'Reported: “{words}”.',
}
