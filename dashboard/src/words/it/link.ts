/** Sentences about the link to headquarters and from the shop, in Italian. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'Il flusso delle modifiche di questo box non è mai stato avviato: avvialo.',
  feed_unanswered: 'Il flusso delle modifiche di questo box non risponde: guarda se è attivo.',
  feed_status: 'Il flusso delle modifiche di questo box risponde con lo stato {status}: guarda nel suo log.',
  feed_before_hq: 'Il flusso delle modifiche era già attivo prima di impostare HQ: riavvialo.',
  record_unread: 'Il flusso delle modifiche non riesce a leggere il registro di questo box.',
  hq_away: 'HQ non risponde.',
  hq_refuses: 'HQ non accetta ciò che questo box invia.',
  shop_refused: 'Il box non ha potuto accettare ciò che lo shop ha inviato.',
  reported: 'Messaggio ricevuto: «{words}».',
}
