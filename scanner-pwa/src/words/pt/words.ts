/** Text read while scanning, in Portuguese: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

export const words: typeof English = {
  title: 'Gatehouse Leitor',
  opening: 'A abrir.',
  doesNotOpen: 'O leitor não abriu neste telemóvel. Feche-o e abra-o outra vez.',
  again: 'Tentar de novo',
  cancel: 'Cancelar',
  close: 'Fechar',
  back: 'Voltar',
  dismiss: 'Ocultar',
  unexpected: 'Não resultou. Tente de novo.',
  rehearsal: 'Ensaio: ninguém é contado',

  nav: {
    label: 'Ecrãs',
    scan: 'Ler',
    recent: 'Recentes',
    shift: 'Turno',
    settings: 'Opções',
  },

  link: {
    reachable: 'Online',
    neverHeard: 'Offline',
    away: (box) => `Em ${box}`,
    offline: (ms) => `Offline ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Tudo enviado' : `${n} por enviar`),
  },

  camera: {
    viewfinder: 'Imagem da câmara',
    opening: 'A abrir a câmara.',
    switch: 'Outra câmara',
    automatic: 'Câmara traseira',
    numbered: (n) => `Câmara ${n}`,
    torchOn: 'Ligar luz',
    torchOff: 'Desligar luz',
    open: 'Abrir a câmara',
    reader: {
      absent: 'A leitura de QR ainda não está neste telemóvel. Ligue-se à rede da box; até lá, escreva os códigos.',
      stopped: 'A leitura de QR parou e está a reiniciar. Se demorar, escreva o código.',
    },
    trouble: {
      denied: {
        what: 'A câmara está bloqueada.',
        remedy:
          'Autorize-a para esta página: no cadeado ou símbolo da câmara junto ao endereço, ou nas definições do telemóvel para este navegador.',
      },
      absent: { what: 'Nenhuma câmara encontrada.', remedy: 'Ligue uma, use um leitor de mão ou escreva o código.' },
      busy: { what: 'Outra aplicação está a usar a câmara.', remedy: 'Feche-a e abra aqui a câmara.' },
      lost: { what: 'A câmara parou.', remedy: 'Volta sozinha. Se não voltar, toque no botão.' },
      insecure: {
        what: 'Esta página não pode usar a câmara.',
        remedy: 'Abra-a com https://, como no convite.',
      },
      unknown: { what: 'A câmara não abriu.', remedy: 'Toque no botão. Se falhar outra vez, reinicie o telemóvel.' },
    },
    wedgeWorks: 'Leitores de mão e códigos escritos continuam a funcionar.',
  },

  scan: {
    title: 'Ler',
    change: 'Mudar de ponto de controlo',
    type: 'Código',
    typeTitle: 'Escrever o código',
    typeLabel: 'Código impresso no bilhete',
    typeSubmit: 'Verificar código',
    lookUp: 'Procurar',
    lookUpLong: 'Procurar um bilhete por nome',
    report: 'Alertar',
    reportLong: 'Comunicar uma ocorrência',
    last: 'Última leitura',
    none: 'Ainda sem leituras',
    tapForSound: 'Toque para ter som',
    failed: 'Sem resposta para esse código. Leia-o outra vez.',
    notices: 'Avisos',
  },

  notice: {
    hold: (gate) => `Entradas suspensas: ${gate}`,
    holdUntil: (ms) => `Até: ${clock(ms)}.`,
    stale: (ms) => `Lista de bilhetes de há ${duration(ms)}`,
    staleText: 'Faltam aqui os bilhetes e cancelamentos mais recentes. Leve este telemóvel de volta à rede.',
    noList: 'Sem lista de bilhetes neste telemóvel',
    noListText: 'Não consegue verificar bilhetes offline. Leve-o até à rede.',
    offline: (ms) =>
      ms === null ? 'Offline: este telemóvel decide' : `Offline há ${duration(ms)}: este telemóvel decide`,
    offlineText: 'Continue a ler. As leituras são enviadas quando a box voltar.',
    away: (box) => `A sua box falhou: responde ${box}`,
    awayText: 'Continue a ler. Este telemóvel volta à sua box sozinho.',
    joined: (box) => `Nova box: ${box}`,
    joinedText: 'Num momento calmo, reinicie a aplicação em Opções, para poder usar esta box se a sua falhar.',
    doubles: (n) => count(n, { one: 'Um bilhete foi usado duas vezes', other: '# bilhetes foram usados duas vezes' }),
    doublesText: 'Uma entrada aqui offline, outra noutro lado.',
    aside: (n) => count(n, { one: 'A box rejeitou uma entrada', other: 'A box rejeitou # entradas' }),
    asideText: 'Decidido offline e guardado neste telemóvel. Avise a sala de controlo.',
    look: 'Abrir',
    more: (n) => `+${n}`,
    emergency: (kind, where) => `${kind} em ${where}`,
    emergencyText: 'Comunicado por outro leitor.',
    announcement: { info: 'Informação', warning: 'Atenção', emergency: 'Emergência' },
    dismissNamed: (what) => `Ocultar: ${what}`,
  },

  verdict: {
    label: 'Resultado',
    next: 'Seguinte',
    waiting: (n) => `mais ${n} à espera`,
    confirmed: 'Confirmado pela box',
    confirmedBy: (box) => `Confirmado por ${box}`,
    provisional: 'Provisório: não confirmado pelas outras boxes',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Provisório: ainda sem contacto com ${boxes}`
        : `Provisório: sem contacto com ${boxes} há ${duration(ms)}`,
    moreBoxes: (n) => `mais ${n}`,
    provisionalBy: (box, why) => `${why}. Resposta de ${box}`,
    offline: (ms) =>
      ms === undefined ? 'Offline: este telemóvel decide' : `Offline há ${duration(ms)}: este telemóvel decide`,
    class: {
      admit: 'Entra',
      exit: 'Sai',
      used: 'Já usado',
      elsewhere: 'Outra porta',
      'not-now': 'Agora não',
      stale: 'Código antigo',
      invalid: 'Não válido',
      revoked: 'Anulado',
      supervisor: 'Chamar supervisor',
    },
    yours: 'A decisão é sua',
    held: 'Entradas suspensas',
    clockOff: 'Hora do telemóvel errada',
    undone: 'Desfeito',
    failed: 'Sem decisão',
    failedSure: 'Nada foi verificado',
    entry: (n) => `Entrada ${n}`,
    undo: 'Desfazer',
    undoTitle: 'Desfazer esta entrada',
    undoText: 'O bilhete pode ser usado outra vez. A sala de controlo vê quem o fez e porquê.',
    undoReasons: ['Lido por engano', 'Não entrou', 'Pessoa errada'],
    admit: 'Deixar entrar na mesma',
    admitTitle: 'Deixar entrar (supervisor)',
    admitText: 'O motivo fica registado.',
    admitReasons: [
      'Bilhete verificado à mão',
      'Saiu e voltou logo',
      'Telemóvel ou código danificado',
      'Erro anterior da equipa',
    ],
    reason: 'Motivo',
    admitSubmit: 'Deixar entrar',
    undoSubmit: 'Desfazer',
  },

  incidents: {
    title: 'Alertar',
    lead: 'Basta um toque para chamar a sala de controlo.',
    kinds: {
      crush: 'Aperto perigoso',
      medical: 'Médico',
      need_staff: 'Reforços',
      fire: 'Incêndio',
      security: 'Segurança',
      lost_child: 'Criança perdida',
      access: 'Mobilidade reduzida',
      equipment: 'Avaria',
    },
    note: 'Nota a enviar junto (opcional)',
    noteHint: 'Onde exatamente, o que vê. Sem nomes. Escreva antes de tocar.',
    sending: 'A enviar…',
    notSent: 'NÃO ENVIADO. Use o rádio.',
    notSentText: 'Este telemóvel continua a tentar, e diz aqui quando o alerta chegar.',
    refused: (why) => `A box rejeitou: ${why}`,
    received: 'Recebido. Ainda ninguém o viu.',
    receivedText: 'A box chama a sala de controlo até alguém responder.',
    seen: 'Visto pela sala de controlo.',
    named: (kind, state) => `${kind}: ${state}`,
    own: 'Os seus alertas',
    ownNone: 'Ainda sem alertas.',
    addNote: 'Juntar nota',
    noteLater: 'Nota para a sala de controlo',
    noNames: 'Onde exatamente, o que mudou. Sem nomes.',
    sendNote: 'Enviar nota',
    withdraw: 'Retirar',
    withdrawTitle: (kind) => `Retirar «${kind}»?`,
    withdrawText: 'A sala de controlo vê-o como falso alarme. Não vem ninguém.',
    here: 'Alertas de outros nesta porta',
    elsewhere: 'Emergências noutros lados',
    waiting: 'Quantas pessoas esperam aqui?',
    waitingHint: 'Um número aproximado ajuda a sala de controlo a mandar gente para uma fila mais curta.',
    people: (n) => (n === 0 ? 'Ninguém' : `Cerca de ${n}`),
    waitingSent: (n) => (n === 0 ? 'Enviado: ninguém à espera.' : `Enviado: cerca de ${n} à espera.`),
    ticks: { pressed: 'Premido', received: 'Recebido', seen: 'Visto' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Visto por ${actor}.` : 'Visto pela sala de controlo.'
        case 'assigned':
          return assignee ? `A caminho: ${assignee}.` : 'A ajuda vem a caminho.'
        case 'resolved':
          return 'Resolvido.'
        case 'cancelled':
          return 'Fechado como falso alarme.'
        default:
          return 'Ainda ninguém o viu.'
      }
    },
    withdrawn: 'Retirado na porta.',
    reason: (reason) => `«${reason}»`,
    pressedAndReceived: (pressed, received) => `premido: ${pressed}, recebido: ${received}`,
  },
}
