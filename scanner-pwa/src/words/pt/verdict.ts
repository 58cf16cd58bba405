/** What the screen of a verdict says beside its name, in Portuguese. */
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
    to: (gate) => `Entra por: ${gate}.`,
    walk: (gate, seconds) =>
      `Entra por: ${gate}, a ${seconds < 60 ? 'menos de um minuto' : duration(seconds * 1000)} a pé.`,
    next: (gate) => `Encaminhe para ${gate}.`,
    somewhere: 'Este bilhete entra por outra porta.',
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
    detail: (ms) => `Cancelado às ${clock(ms)}`,
  },
  orderOpen: 'a encomenda está por pagar',
  byShop: 'bloqueado pela loja de bilhetes',
  held: {
    fact: (why) => `${why} O bilhete está bom.`,
    next: 'Ninguém entra aqui até a sala de controlo autorizar.',
  },
  unknown: {
    fact: 'Não é um bilhete deste evento.',
    alone: 'Não está na lista deste telemóvel.',
    next: 'Leia o código outra vez. Depois: encaminhe para a bilheteira.',
  },
}
