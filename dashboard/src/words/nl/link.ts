/** Sentences about the link to headquarters and from the shop, in Dutch. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'De wijzigingsstroom van deze box is nooit gestart: start hem.',
  feed_unanswered: 'De wijzigingsstroom van deze box antwoordt niet: kijk of hij draait.',
  feed_status: 'De wijzigingsstroom van deze box antwoordt met status {status}: kijk in het logboek ervan.',
  feed_before_hq: 'De wijzigingsstroom draaide al voordat het hoofdkantoor was ingesteld: herstart hem.',
  record_unread: 'De wijzigingsstroom kan het register van deze box niet lezen.',
  hq_away: 'Het hoofdkantoor antwoordt niet.',
  hq_refuses: 'Het hoofdkantoor neemt niet aan wat deze box stuurt.',
  shop_refused: 'De box kon niet overnemen wat de shop stuurde.',
  reported: 'Gemeld werd: ‘{words}’.',
}
