/** What the screen of a verdict says beside its name, in Spanish: what it rests on, and what to do next. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Envía a taquilla.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} O llama a un supervisor.`,
  orPress: (instruction, button) => `${instruction} O pulsa «${button}».`,
  undone: { fact: 'Este acceso se ha deshecho.', next: 'La entrada se puede volver a usar.' },
  used: {
    at: (gate, seconds) => `Usada en ${gate} ${seconds < 1 ? 'ahora mismo' : ago(seconds * 1000)}.`,
    somewhere: 'Esta entrada ya se ha usado.',
    next: 'Pide otra entrada.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Entra por ${gate}.`,
    walk: (gate, seconds) =>
      `Entra por ${gate}, a ${seconds < 60 ? 'menos de un minuto' : duration(seconds * 1000)} a pie.`,
    next: (gate) => `Envía a ${gate}.`,
    somewhere: 'Esta entrada va por otra puerta.',
    ask: 'Pregunta a la central por cuál.',
  },
  early: 'Que vuelva a esa hora.',
  stale: {
    old: (seconds) => `Este código tiene ${duration(seconds * 1000)}.`,
    outdated: 'Este código ya no sirve.',
    next: 'Que vuelva a abrir la entrada. No valen capturas.',
    clock: (seconds) =>
      `El reloj de ese móvil va ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'adelantado' : 'atrasado'}. Puede que la entrada esté bien.`,
    clockNext: 'Que ponga la hora en automático y vuelva a abrir la entrada.',
  },
  cancelled: {
    unexplained: 'Esta entrada está anulada.',
    next: `No le dejes pasar. ${desk}`,
    detail: (ms) => `Anulada a las ${clock(ms)}`,
  },
  orderOpen: 'pedido pendiente',
  byShop: 'bloqueada por la tienda',
  held: {
    fact: (why) => `${why} La entrada está bien.`,
    next: 'Por aquí no entra nadie hasta que lo diga la central.',
  },
  unknown: {
    fact: 'No es una entrada de este evento.',
    alone: 'No está en la lista de este móvil.',
    next: 'Prueba otra vez el código. Si no: envía a taquilla.',
  },
}
