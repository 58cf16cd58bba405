/** Texts of the screen Shop, in Portuguese. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { changes, seconds } = actionWords.hq

export const shopWords: typeof English = {
  lead: 'A caixa lê os bilhetes do seu pretix e diz-lhe quem passou. Nenhuma leitura espera por isso.',
  problem: 'Não é possível seguir a loja configurada.',
  nothing: 'Nenhuma loja ligada',
  nothingText:
    'Crie um token no pretix (Organizador → Dispositivos, ou Equipas) e escreva isto onde a caixa está instalada. Ela diz o passo seguinte e escreve o que falta.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Copiar o comando',
  database: 'A caixa segue a base de dados de uma loja',
  databaseText: 'Até onde vai, e o que não pôde ser aplicado, está no ecrã Sede.',
  openHq: 'Abrir Sede',
  down: 'Para baixo: bilhetes',
  up: 'Para cima: passagens',
  downStates: {
    current: 'Ligado, em dia',
    first: 'A ler todas as encomendas pela primeira vez',
    away: 'Sem ligação',
  },
  upStates: {
    begins: 'Começa depois de lidas todas as encomendas',
    current: 'Em dia',
    behind: 'A recuperar',
    asleep: 'Algo espera por uma pessoa',
    waiting: 'Agora não é possível avisar o pretix',
    paused: 'Parado até alguém mudar alguma coisa',
    other_box: 'Outra caixa deste evento avisa o pretix',
  },
  source: 'Loja',
  answered: 'Última resposta',
  failing: 'Falha desde',
  changed: 'Última alteração',
  lag: 'Atraso',
  added: 'Bilhetes adicionados',
  ticketsChanged: 'Bilhetes alterados',
  compared: 'Última leitura completa',
  clocks: 'Diferença dos relógios',
  clocksText: (by) => `${seconds(Math.abs(by))}: acerte o que está errado.`,
  seconds,
  reading: (page, pages) => `A ler todas as encomendas: página ${page}${pages === null ? '' : ` de ${pages}`}.`,
  readingLabel: 'Encomendas lidas',
  soon: 'Daqui a pouco são lidas de novo todas as encomendas.',
  notApplied: (n) =>
    `${speech.count(n, { one: '# posição de encomendas não deu um bilhete', other: '# posições de encomendas não deram bilhetes' })}. Corrija no pretix ou em pretix.yaml. O motivo está no ecrã Sede.`,
  compare: 'Comparar agora',
  compareHint: 'Lê de novo todas as encomendas e encontra o que foi apagado no pretix.',
  comparing: 'A caixa lê de novo todas as encomendas, sem parar as portas.',
  sent: 'Comunicadas desde o arranque',
  sentAt: 'Última comunicação',
  waiting: 'Por comunicar',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}, ${asleep} até alguém tentar de novo`,
  queue: 'O que espera',
  queueEmpty: 'Nada à espera.',
  queueAt: 'Na porta',
  queueTicket: 'Bilhete',
  queueWhy: 'A loja diz',
  queueNext: 'Próxima tentativa',
  queueAsleep: 'Tentar de novo',
  noTicket: 'nenhum',
  notAsked: 'nada ainda',
  retry: 'Tentar de novo',
  retryHint: 'Corrija primeiro a causa. Isto pergunta logo ao pretix e envia outra vez o que espera.',
  retried: 'A perguntar de novo ao pretix.',
  conflicts: 'A loja diz outra coisa',
  noConflicts: 'Sem casos abertos: o pretix aceitou tudo.',
  someConflicts: (n) =>
    `${speech.count(n, { one: '# caso aberto', other: '# casos abertos' })}: alguém passou, e o pretix era de outra opinião.`,
  openCases: 'Abrir os casos',
}
