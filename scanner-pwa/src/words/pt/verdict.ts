/** Text on the screen of a verdict, beside its name, in Portuguese. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Encaminhe para a bilheteira.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} Ou chame um supervisor.`,
  orPress: (instruction, button) => `${instruction} Ou toque em «${button}».`,
  undone: { fact: 'Esta entrada foi desfeita.', next: 'O bilhete pode ser usado outra vez.' },
  used: {
    at: (gate, seconds) => `Usado em ${gate} ${seconds < 1 ? 'agora mesmo' : ago(seconds * 1000)}.`,
    somewhere: 'Este bilhete já foi usado.',
    next: 'Peça outro bilhete.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Este bilhete é para ${gate}.`,
    walk: (gate, seconds) =>
      `Este bilhete é para ${gate}, a ${seconds < 60 ? 'menos de um minuto' : duration(seconds * 1000)} a pé.`,
    next: (gate) => `Encaminhe para ${gate}.`,
    somewhere: 'Este bilhete é para outra porta.',
    ask: 'Pergunte à sala de controlo qual.',
  },
  early: 'Peça para voltar a essa hora.',
  stale: {
    old: (seconds) => `Este código tem ${duration(seconds * 1000)}.`,
    outdated: 'Este código está desatualizado.',
    next: 'Peça para abrir o bilhete outra vez. Capturas de ecrã não servem.',
    clock: (seconds) =>
      `O relógio desse telemóvel está ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'adiantado' : 'atrasado'}. O bilhete pode estar bom.`,
    clockNext: 'Peça para pôr a hora em automático e abrir o bilhete outra vez.',
  },
  cancelled: {
    unexplained: 'Este bilhete foi cancelado.',
    next: `Não deixe entrar. ${desk}`,
    detail: (ms) => `Cancelado: ${clock(ms)}`,
  },
  orderOpen: 'a encomenda não está paga',
  byShop: 'bloqueado pela loja de bilhetes',
  held: {
    fact: (why) => `${why} O problema não é do bilhete.`,
    next: 'Ninguém entra aqui até a sala de controlo autorizar.',
  },
  times: (from, until) =>
    from === null
      ? `Só se entra até ${until}.`
      : until === null
        ? `Só se entra a partir de ${from}.`
        : `Só se entra de ${from} até ${until}.`,
  letIn: (actor, reason) => `Entrada permitida por ${actor}: ${reason}.`,
  known: {
    blocked: 'Bloqueado pela organização.',
    cancelled: 'Este bilhete foi cancelado.',
    cancelled_by_organiser: 'Cancelado pela organização.',
    claimed: 'Este bilhete está num telemóvel. Peça o código do ecrã, não o impresso.',
    claimed_elsewhere: 'Este bilhete está noutro telemóvel. Peça para o mostrarem lá.',
    code_replaced: 'Este código foi substituído. Peça o bilhete novo.',
    every_gate_held: 'Entradas suspensas em todas as portas deste bilhete.',
    no_gate: 'Nenhuma porta daqui aceita este tipo de bilhete.',
    no_order: 'A loja não tem nenhuma encomenda com este código.',
    not_a_ticket: 'Isto já não é um bilhete.',
    not_approved: 'Não aprovado pela organização, e por pagar.',
    not_paid: 'A encomenda não está paga.',
    order_expired: 'A encomenda expirou antes de ser paga.',
    other_date: 'Este bilhete é para outra data.',
    phone_only: 'Só se entra com o código do telemóvel, não com um impresso.',
    refunded: 'Este bilhete foi reembolsado.',
    reissued: 'Este bilhete foi reemitido na bilheteira. Peça o código novo.',
    released: 'Este bilhete já não está nesse telemóvel. Peça para abrirem de novo o link do bilhete.',
  },
  unknown: {
    fact: 'Não é um bilhete deste evento.',
    alone: 'Não está na lista deste telemóvel.',
    next: 'Leia o código outra vez. Se não der, encaminhe para a bilheteira.',
  },
}
