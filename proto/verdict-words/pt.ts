/** The sentences of verdicts, in Portuguese. */
import { speechOf } from '../speech.ts'
import { clause, sentence } from '../verdict-words.ts'
import type { verdictSentences as English } from './en.ts'

const { ago, duration, number, time } = speechOf('pt-PT')

const desk = 'Encaminhe para a bilheteira.'

export const verdictSentences: typeof English = {
  welcome: 'Pode entrar.',
  welcomeBack: (occurrence) => `Pode voltar a entrar, entrada n.º ${number(occurrence)}.`,
  left: 'Saída registada. Até à próxima.',
  used: (place, ms) =>
    `Usado em ${place} ${Math.abs(ms) < 1000 ? 'agora mesmo' : ms < 0 ? `${duration(-ms)} depois` : ago(ms)}.`,
  redirect: (here, there) => `Não entra em ${here}: encaminhe para ${there}.`,
  ticketFrom: (from) => `Ainda não é válido: só a partir de ${from}.`,
  gateFrom: (from) => `Porta ainda fechada: abre ${from}.`,
  ticketUntil: (until) => `Expirou ${until}.`,
  gateUntil: (until) => `Esta porta fechou ${until}.`,
  moment: (ms, timeZone, dated) =>
    time(ms, {
      timeZone,
      ...({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
      ...(dated && { year: 'numeric' }),
    }),
  end: (ms, timeZone, sameDay) => {
    if (!sameDay) return `a ${time(ms, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })}`
    const clock = time(ms, { timeZone, hour: '2-digit', minute: '2-digit' })
    return `${clock.startsWith('01:') ? 'à' : 'às'} ${clock}`
  },
  phoneClock: (ms) =>
    `O relógio desse telemóvel está ${duration(Math.abs(ms))} ${ms < 0 ? 'adiantado' : 'atrasado'}: peça para pôr a hora em automático e abrir o bilhete outra vez.`,
  stale: (ms) => `Este código tem ${duration(ms)}: peça para abrir o bilhete outra vez. Capturas de ecrã não servem.`,
  sendToDesk: (what) => `${what} ${desk}`,
  askFirst: (what) => `Pergunte primeiro: ${clause(what)}. Responda no leitor ou encaminhe para a bilheteira.`,
  held: (why) => `Pare: ${clause(why)}. Ninguém entra até a sala de controlo autorizar.`,
  unknown: 'Não é um bilhete deste evento. Leia o código outra vez. Se não der, encaminhe para a bilheteira.',
  cancelled: (reason) =>
    reason ? labelled('Cancelado', reason, /\b(cancell?ed|revoked|cancelad[oa]|anulad[oa])\b/i) : 'Cancelado.',
  notPaid: (detail) => labelled('Não pago', detail, /\b(paid|pag[oa])\b/i),
  blocked: (detail) => labelled('Bloqueado', detail, /^(blocked|bloquead[oa])\b/i),
}

function labelled(label: string, text: string, says: RegExp): string {
  return says.test(text) ? sentence(text) : `${label}: ${clause(text)}.`
}
