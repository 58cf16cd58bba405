/** Sentences about a paper list that was typed in, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Um código curto tem oito caracteres: compare-o com a folha.',
  code_sign: 'Os códigos curtos não têm 0, 1, I, L nem O: compare com a folha.',
  code_check: 'Há um carácter errado ou dois trocados: compare com a folha.',
  code_unknown: 'Nenhum bilhete deste evento tem este código: compare com a folha.',
  code_of_two: 'Dois bilhetes têm este código: procure a pessoa pelo nome.',
  other_gate: 'Este tipo de bilhete não é para {checkpoint}: é a folha de outra porta?',
  event_changed: 'O evento mudou entretanto: o bilhete ou a entrada já não existe.',
  sheet_of_other:
    'Este bilhete já foi introduzido a partir da mesma folha para outra entrada: cada folha é de uma porta.',
  sheet_length: 'Um número de folha tem seis caracteres: está no topo de cada página.',
  sheet_sign: 'Um número de folha não tem 0, 1, I, L nem O: está no topo de cada página.',
  sheet_check: 'O número da folha tem um carácter errado: compare com o topo da página.',
  used_too_long: 'A folha esteve em uso mais de um dia: verifique as duas horas e o dia.',
  entrance_gone: 'O evento não tem essa entrada: recarregue a página e escolha outra.',
  gate_gone: 'O evento não tem essa porta: recarregue a página e escolha outra.',
  closing: 'A box está a parar: introduza a folha de novo quando voltar a funcionar.',
}
