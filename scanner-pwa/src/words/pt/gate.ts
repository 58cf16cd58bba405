/** The sentences of the scanner's core, in Portuguese. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords: typeof English = {
  invite: {
    notOne: 'Isto não é um convite Gatehouse. Leia o código QR da sala de controlo, ou copie o link inteiro.',
    elsewhere: (address) => `Este convite é de outra box. Abra ${address} neste telemóvel e leia-o lá outra vez.`,
    otherBox: 'Este convite é de outro evento. Veja se o telemóvel está na rede certa. Não o emparelhe aqui.',
    expired: 'Este convite expirou. Peça outro à sala de controlo.',
    unreachable: 'A box não responde. Ligue-se à rede dela e tente de novo.',
    paired: 'Este telemóvel já está emparelhado. Desemparelhe-o primeiro.',
    noKeys:
      'Este navegador não consegue guardar a chave de um leitor. Abra o convite noutro navegador, e não numa janela privada.',
  },
  nameMissing: 'Dê a este telemóvel um nome que a sala de controlo reconheça.',
  otherTab: 'O leitor está aberto noutro separador ou janela. Feche o outro e tente de novo.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: 'Uma entrada ainda não chegou', other: '# entradas ainda não chegaram' })} à box. Leve primeiro o telemóvel de volta à rede.`,
  noCheckpoint: 'Escolha primeiro o ponto de controlo.',
  waitingUnreachable: 'Não enviado: a box não responde. Tente mais tarde, ou use o rádio.',
  reportUnreachable: 'Não enviado: a box não responde. Use o rádio.',
  notPaired: 'Este telemóvel não está emparelhado. Abra primeiro um convite.',
  ended: {
    device_revoked: 'Este leitor foi retirado de serviço. Leve-o à sala de controlo.',
    other: 'A box já não reconhece este leitor. Peça um novo convite à sala de controlo e emparelhe de novo.',
    certificate: 'O certificado deste leitor expirou. Peça um novo convite à sala de controlo e emparelhe de novo.',
  },
  offline: {
    noList: 'Este telemóvel não tem lista de bilhetes e a box não responde. Use outro leitor, ou leve este até à rede.',
    otherEvent: 'A lista de bilhetes deste telemóvel é de outro evento. Use outro leitor e emparelhe este de novo.',
    used: 'Já usado; offline não se sabe onde nem quando. Encaminhe para a bilheteira.',
    elsewhere: 'Não é para esta porta. Pergunte à sala de controlo para onde encaminhar.',
    everyGateHeld: 'entradas suspensas em todas as portas deste bilhete, que este telemóvel saiba',
    notValid: 'Já não é válido: cancelado, não pago ou passado para outro telemóvel. Encaminhe para a bilheteira.',
    diskFull:
      'Este telemóvel está cheio e não regista entradas. Não deixe entrar ninguém com ele: liberte espaço, ou use outro.',
  },
  noCode: 'Isto não é um bilhete. Leia o código outra vez. Se não der, encaminhe para a bilheteira.',
  details: {
    gone: 'Já não está aberto neste telemóvel. Leia o bilhete outra vez.',
    unreachable: 'Isto precisa da box, que não responde. Tente quando ela voltar.',
    wrong: (question, problem = 'Responda de novo.') => `«${question}»: ${problem}`,
    nobody: 'Mais ninguém desta encomenda pode entrar aqui agora. Leia os bilhetes um a um para ver porquê.',
  },
  lookUp: {
    unreachable:
      'A pesquisa precisa da box, que não responde. Tente quando ela voltar, ou encaminhe para a bilheteira.',
    who: 'Identifique-se primeiro, em Turno: cada pesquisa fica registada com um nome.',
  },
  overrides: {
    unreachable: 'Isto precisa da box, que não responde. Tente quando ela voltar.',
    unsent: 'A box ainda não tem esta leitura. Espere que seja enviada e tente de novo.',
    scanner: 'o leitor',
    tooLate: 'A resposta chegou tarde demais. Esta pessoa já foi mandada embora.',
    who: 'Identifique-se primeiro, em Turno: o registo diz quem decidiu.',
  },
  preflight: {
    clock: {
      unknown: 'ainda não comparado com a box',
      off: (ms) => `${ms > 0 ? 'atrasado' : 'adiantado'} ${duration(Math.abs(ms))} em relação à box`,
      fine: 'certo com o da box',
      remedy: 'Ponha a data e a hora deste telemóvel em automático.',
      measure: 'Ligue-se à rede da box para comparar os relógios.',
    },
    manifest: {
      none: 'sem lista de bilhetes',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# bilhete', other: '# bilhetes' })}, versão ${version}, ${ageMs < 60_000 ? 'atualizada' : `de há ${duration(ageMs)}`}`,
      remedy: 'Fique na rede da box até a lista de bilhetes estar atualizada.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `válido por mais ${duration(ms)}` : 'expirado'),
      remedy: 'Peça um novo convite à sala de controlo e emparelhe de novo.',
    },
    storage: {
      asking: 'este navegador pergunta se pode conservar os dados',
      kept: 'este telemóvel não apaga o que guarda',
      notKept:
        'este telemóvel pode apagar leituras por enviar: se faltar espaço, numa janela privada ou após uma semana sem uso',
      unknown: 'este navegador não diz se conserva as leituras por enviar',
      small: (mb) =>
        `este navegador dá apenas ${mb} MB à aplicação, como uma janela privada: as leituras por enviar podem não caber`,
      smallRemedy: 'Abra a aplicação numa janela normal ou liberte espaço neste telemóvel.',
      remedy: 'Adicione esta aplicação ao ecrã principal e abra-a a partir daí.',
    },
    boxes: {
      ready: (names) => `se esta box falhar, este telemóvel usa ${names}`,
      silent: (names) => `sem resposta de ${names}`,
      silentRemedy: (address) =>
        `Abra ${address} uma vez neste navegador e confie no endereço, como fez com a primeira box. Se não abrir, avise a sala de controlo.`,
      later: (names) => `juntou-se depois de abrir esta aplicação: ${names}`,
      laterRemedy: 'Reinicie esta aplicação em Opções para poder usar essa box.',
    },
    link: {
      reachable: 'a box responde',
      offline: 'a box não responde',
      remedy: 'Ligue-se à rede da box.',
    },
  },
}
