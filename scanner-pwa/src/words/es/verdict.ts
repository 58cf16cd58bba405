/** Text on the screen of a verdict, beside its name, in Spanish: what it rests on, and what to do next. */
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
    at: (gate, seconds) => `Usada en ${gate} ${seconds < 1 ? 'hace un momento' : ago(seconds * 1000)}.`,
    somewhere: 'Esta entrada ya se ha usado.',
    next: 'Pide otra entrada.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Su puerta es ${gate}.`,
    walk: (gate, seconds) =>
      `Su puerta es ${gate}, a ${seconds < 60 ? 'menos de un minuto' : duration(seconds * 1000)} a pie.`,
    next: (gate) => `Envía a ${gate}.`,
    somewhere: 'Esta entrada es para otra puerta.',
    ask: 'Pregunta a la central cuál es.',
  },
  early: 'Que vuelva a esa hora.',
  stale: {
    old: (seconds) => `Este código es de hace ${duration(seconds * 1000)}.`,
    outdated: 'Este código ya no sirve.',
    next: 'Que vuelva a abrir la entrada. No valen capturas.',
    clock: (seconds) =>
      `El reloj de ese móvil va ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'adelantado' : 'atrasado'}. Puede que la entrada esté bien.`,
    clockNext: 'Que ponga la hora en automático y vuelva a abrir la entrada.',
  },
  cancelled: {
    unexplained: 'Esta entrada está anulada.',
    next: `No le dejes pasar. ${desk}`,
    detail: (ms) => `Anulada: ${clock(ms)}`,
  },
  orderOpen: 'el pedido está sin pagar',
  byShop: 'bloqueada por la tienda',
  held: {
    fact: (why) => `${why} La entrada está bien.`,
    next: 'Por aquí no entra nadie hasta que lo diga la central.',
  },
  times: (from, until) =>
    from === null
      ? `Solo se entra hasta ${until}.`
      : until === null
        ? `Solo se entra desde ${from}.`
        : `Solo se entra desde ${from} hasta ${until}.`,
  letIn: (actor, reason) => `Acceso permitido por ${actor}: ${reason}.`,
  known: {
    blocked: 'Bloqueada por la organización.',
    cancelled: 'Esta entrada está anulada.',
    cancelled_by_organiser: 'Anulada por la organización.',
    claimed: 'Esta entrada está en un móvil. Pide el código del móvil, no el impreso.',
    claimed_elsewhere: 'Esta entrada está en otro móvil. Pide que lo muestren.',
    code_replaced: 'Este código se ha sustituido. Pide la entrada nueva.',
    every_gate_held: 'Acceso cortado en todas las puertas de esta entrada.',
    no_gate: 'Ninguna puerta de aquí admite este tipo de entrada.',
    no_order: 'La tienda no tiene ningún pedido con este código.',
    not_a_ticket: 'Esto ya no es una entrada.',
    not_approved: 'No aprobada por la organización, y sin pagar.',
    not_paid: 'El pedido no está pagado.',
    order_expired: 'El pedido caducó antes de pagarse.',
    other_date: 'Esta entrada es para otra fecha.',
    phone_only: 'Solo se entra con el código del móvil, no con uno impreso.',
    refunded: 'Esta entrada se ha reembolsado.',
    reissued: 'Esta entrada se ha vuelto a emitir en taquilla. Pide el código nuevo.',
    released: 'Esta entrada ya no está en este móvil. Pide que abran de nuevo su enlace.',
  },
  unknown: {
    fact: 'No es una entrada de este evento.',
    alone: 'No está en la lista de este móvil.',
    next: 'Prueba el código otra vez. Si no va, envía a taquilla.',
  },
}
