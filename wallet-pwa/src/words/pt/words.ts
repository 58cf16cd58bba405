/** Text on every screen, and on the ticket's own, in Portuguese. */
import type { words as English } from '../en/words.ts'

export const words: typeof English = {
  title: 'Gatehouse Bilhetes',
  screens: { ticket: 'Bilhete', nearby: 'Perto', news: 'Avisos', more: 'Mais' },
  screensLabel: 'Ecrãs',
  yourTickets: 'Os seus bilhetes',
  ticketName: (number, tier, whose) => (tier === undefined ? `Bilhete ${number}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => `${n} por ler`,
  close: 'Fechar',
  cancel: 'Agora não',
  tryAgain: 'Tentar de novo',
  add: 'Adicionar um bilhete',
  remove: 'Remover',

  live: 'Online',
  asking: 'A ligar',
  offline: 'Offline',
  offlineLong: (age) => `Sem rede. Última atualização: ${age}. O seu código funciona sem rede.`,
  forgetful:
    'Este navegador não guarda nada. Mantenha esta página aberta até entrar, ou abra o seu link noutro navegador.',

  justNow: 'agora mesmo',

  ticket: {
    heading: 'O seu bilhete',
    opening: 'A abrir o seu bilhete',
    code: 'Código do bilhete, muda a cada 15 segundos. Mostre-o ao leitor; toque para ampliar.',
    codeLarge: 'Código do bilhete',
    bright: 'Ponha o brilho no máximo e não mexa o telemóvel.',
    awake: 'Vá tocando no ecrã para não se apagar.',
    next: (seconds) => `Novo código em ${seconds} s`,
    enlarge: 'toque para ampliar',
    making: 'A criar o seu código',
    holder: 'Nome',
    zones: 'Acesso',
    valid: 'Válido',
    validFrom: (from) => `a partir de ${from}`,
    validUntil: (until) => `até ${until}`,
    validBetween: (from, until) => `de ${from} até ${until}`,
    early: (from) => `Ainda não é válido: vale a partir de ${from}.`,
    late: (until) => `Expirou: ${until}.`,
    revoked: {
      title: 'Cancelado',
      text: 'A organização cancelou este bilhete. Pergunte na bilheteira ou a quem lho vendeu.',
    },
    blocked: 'Bloqueado pela organização. Na porta, peça para falar com um supervisor e mostre este código.',
    pending: 'Ainda não está pago. Pague onde o comprou, ou mostre este código a um supervisor na porta.',
    unknown: 'Este bilhete já não consta do evento. Se uma porta recusar o código, peça um novo link à organização.',
    unsigned:
      'Este telemóvel não conseguiu provar agora que o bilhete lhe está vinculado. Se uma porta recusar o código, chame um supervisor.',
    slow: (by) =>
      `O relógio deste telemóvel está atrasado ${by}. O seu código tem isso em conta, mas ponha a hora em automático.`,
    fast: (by) =>
      `O relógio deste telemóvel está adiantado ${by}. O seu código tem isso em conta, mas ponha a hora em automático.`,
  },

  trouble: {
    unreachable: {
      title: 'Sem rede',
      text: 'Um bilhete precisa de rede da primeira vez que é aberto. Ligue-se ao Wi-Fi do recinto ou ative os dados móveis; esta página tenta de novo sozinha.',
    },
    unknown: {
      title: 'Este link não funciona',
      text: 'Abra o link na própria mensagem da organização, não uma cópia. Se mesmo assim não funcionar, peça um novo à organização.',
    },
    elsewhere: {
      title: 'Vinculado a outro telemóvel',
      text: 'Este bilhete foi vinculado a outro telemóvel e só abre nele. Se não o fez, peça à organização ou à bilheteira que o libertem.',
    },
    keyDeleted: {
      title: 'A chave deste bilhete desapareceu',
      text: 'Este navegador apagou-a e este telemóvel já não pode mostrar o bilhete. Peça à organização ou à bilheteira que o libertem e volte a abrir o seu link.',
    },
    busy: {
      title: 'Demasiadas tentativas nesta rede',
      text: 'Foram abertos nesta rede demasiados links errados. Espere um minuto; esta página tenta de novo sozinha.',
    },
    unloaded: {
      title: 'Esta página ainda não está no seu telemóvel',
      text: 'Precisa de rede uma vez. O seu bilhete e o código funcionam sem rede. Esta página tenta de novo sozinha.',
    },
    refused: {
      title: 'Não resultou',
      text: 'Feche esta página e abra o seu link outra vez. Se não ajudar, pergunte na bilheteira.',
    },
  },

  emergency: 'Emergência',

  welcome: {
    heading: 'Os seus bilhetes, neste telemóvel',
    text: 'Abra o link que a organização lhe enviou, ou adicione-o à mão.',
  },
}
