/** Sentences about the link to headquarters and from the shop, in Spanish. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'El flujo de cambios de este servidor nunca se ha iniciado: inícialo.',
  feed_unanswered: 'El flujo de cambios de este servidor no responde: mira si está en marcha.',
  feed_status: 'El flujo de cambios de este servidor responde con el estado {status}: mira su registro.',
  feed_before_hq: 'El flujo de cambios arrancó antes de configurar la sede: reinícialo.',
  record_unread: 'El flujo de cambios no puede leer el registro de este servidor.',
  hq_away: 'La sede no responde.',
  hq_refuses: 'La sede no acepta lo que envía este servidor.',
  shop_refused: 'El servidor no pudo aceptar lo que envió la tienda.',
  reported: 'Mensaje recibido: «{words}».',
}
