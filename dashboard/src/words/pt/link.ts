/** Sentences about the link to headquarters and from the shop, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const linkWords: BoxWords['link'] = {
  feed_unstarted: 'O fluxo de alterações desta box nunca foi iniciado: inicie-o.',
  feed_unanswered: 'O fluxo de alterações desta box não responde: veja se está a correr.',
  feed_status: 'O fluxo de alterações desta box responde com o estado {status}: veja o registo dele.',
  feed_before_hq: 'O fluxo de alterações já corria antes de a sede ser definida: reinicie-o.',
  record_unread: 'O fluxo de alterações não consegue ler o registo desta box.',
  hq_away: 'A sede não responde.',
  hq_refuses: 'A sede não aceita o que esta box envia.',
  shop_refused: 'A box não conseguiu aceitar o que a loja enviou.',
  reported: 'Mensagem recebida: «{words}».',
}
