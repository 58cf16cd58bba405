/** Sentences about acts of the control room that are refused, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const actRefusalWords: BoxWords['acts'] = {
  people_came:
    'Entraram pessoas nos últimos 30 minutos, e quem entra durante um ensaio não é contado: confirme que nenhuma porta está aberta.',
  event_begun:
    'O evento começou, e quem entra durante um ensaio não é contado: confirme que nenhuma porta está aberta.',
  ticket_changed: '{actor} alterou este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_claimed: 'Um telemóvel ficou vinculado a este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_changed_by_shop: 'A loja alterou este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_changed_elsewhere: 'Alguém alterou este bilhete noutra box: veja-o de novo e depois decida.',
  gate_unknown: 'Este evento não tem essa porta: recarregue a página.',
  no_pretixscan: 'Esta box não serve o pretixSCAN: defina GATEHOUSE_PRETIXSCAN_PORT e reinicie a box.',
  record_uncountable:
    'Uma entrada do registo foi alterada e não se pode contar: execute «gatehouse verify» e guarde este registo como está.',
  box_closing: 'A box está a fechar: tente de novo quando voltar.',
  ticket_was_revoked: '{actor} anulou este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_was_reinstated: '{actor} repôs este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_was_reissued: '{actor} reemitiu este bilhete às {time} UTC: veja-o de novo e depois decida.',
  ticket_was_forgotten:
    '{actor} apagou os dados do titular deste bilhete às {time} UTC: veja-o de novo e depois decida.',
  claim_was_released: '{actor} libertou este bilhete do telemóvel às {time} UTC: veja-o de novo e depois decida.',
  search_broken: 'A procura não funciona: veja se o disco está cheio.',
}
