/** The sentences of verdicts, in Spanish. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'
import type { verdictSentences as English } from './en.ts'

const { ago, duration, number, time } = speechOf('es-ES')

const desk = 'Envía a taquilla.'

export const verdictSentences: typeof English = {
  welcome: 'Adelante.',
  welcomeBack: (occurrence) => `Adelante de nuevo, acceso ${number(occurrence)}.`,
  left: 'Salida registrada. Hasta pronto.',
  used: (place, ms) =>
    `Usada en ${place} ${Math.abs(ms) < 1000 ? 'hace un momento' : ms < 0 ? `${duration(-ms)} después` : ago(ms)}.`,
  redirect: (here, there) => `No entra por ${here}: envía a ${there}.`,
  ticketFrom: (from) => `Aún no es válida: vale desde el ${from}.`,
  gateFrom: (from) => `Puerta aún cerrada: abre el ${from}.`,
  ticketUntil: (until) => `Caducó ${until}.`,
  gateUntil: (until) => `Esta puerta cerró ${until}.`,
  moment: (ms, timeZone, dated) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  end: (ms, timeZone, sameDay) => {
    if (!sameDay) return `el ${time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })}`
    const clock = time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })
    return `${clock.startsWith('01:') ? 'a la' : 'a las'} ${clock}`
  },
  phoneClock: (ms) =>
    `El reloj de ese móvil va ${duration(Math.abs(ms))} ${ms < 0 ? 'adelantado' : 'atrasado'}: que ponga la hora en automático y vuelva a abrir la entrada.`,
  stale: (ms) => `Este código es de hace ${duration(ms)}: que vuelva a abrir la entrada. No valen capturas.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) => `Pregunta antes: ${clause(what)}. Responde en el escáner o envía a taquilla.`,
  held: (why) => `Alto: ${clause(why)}. No entra nadie hasta que lo diga la central.`,
  unknown: 'No es una entrada de este evento. Prueba otra vez el código y, si no, envía a taquilla.',
  /** Shops often say it themselves, and "Bloqueada: bloqueada por la organización." says it twice. */
  cancelled: (reason) => (reason ? labelled('Anulada', reason, /\b(anulad|cancelad|revocad)/i) : 'Anulada.'),
  notPaid: (detail) => labelled('Sin pagar', detail, /\b(pagad|pagar|pago)/i),
  blocked: (detail) => labelled('Bloqueada', detail, /^bloquead/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}
