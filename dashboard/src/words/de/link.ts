/** Sentences about the link to headquarters and from the shop, in German. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'Der Änderungsstrom dieser Box wurde nie gestartet: starten.',
  feed_unanswered: 'Der Änderungsstrom dieser Box antwortet nicht: prüfen, ob er läuft.',
  feed_status: 'Der Änderungsstrom dieser Box antwortet mit Status {status}: in seiner Logdatei nachsehen.',
  feed_before_hq: 'Der Änderungsstrom lief schon, bevor die Zentrale eingestellt war: neu starten.',
  record_unread: 'Der Änderungsstrom kann das Protokoll dieser Box nicht lesen.',
  hq_away: 'Die Zentrale antwortet nicht.',
  hq_refuses: 'Die Zentrale nimmt nicht an, was diese Box sendet.',
  shop_refused: 'Die Box konnte nicht übernehmen, was der Shop gesendet hat.',
  reported: 'Gemeldet wurde: „{words}“.',
}
