/** Sentences about acts of the control room that are refused, in Spanish. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'Ha entrado gente en los últimos 30 minutos, y quien entra durante un ensayo no se cuenta: asegúrate de que no haya ninguna puerta abierta.',
  event_begun:
    'El evento ha empezado, y quien entra durante un ensayo no se cuenta: asegúrate de que no haya ninguna puerta abierta.',
  ticket_changed: '{actor} cambió esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_claimed: 'Un móvil se vinculó a esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_changed_by_shop: 'La tienda cambió esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_changed_elsewhere: 'Alguien cambió esta entrada en otro servidor: mírala otra vez y decide.',
  gate_unknown: 'Este evento no tiene esa puerta: recarga la página.',
  no_pretixscan: 'Este servidor no atiende a pretixSCAN: configura GATEHOUSE_PRETIXSCAN_PORT y reinicia el servidor.',
  record_uncountable:
    'Se cambió una anotación del registro y no se puede contar: ejecuta «gatehouse verify» y conserva este registro como está.',
  box_closing: 'El servidor se está cerrando: inténtalo otra vez cuando haya vuelto.',
  ticket_was_revoked: '{actor} anuló esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_was_reinstated: '{actor} restableció esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_was_reissued: '{actor} reemitió esta entrada a las {time} UTC: mírala otra vez y decide.',
  ticket_was_forgotten:
    '{actor} borró los datos del titular de esta entrada a las {time} UTC: mírala otra vez y decide.',
  claim_was_released: '{actor} liberó esta entrada del móvil a las {time} UTC: mírala otra vez y decide.',
  search_broken: 'La búsqueda no funciona: mira si el disco está lleno.',
}
