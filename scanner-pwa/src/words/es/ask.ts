/** The sentences about a ticket's details, in Spanish: attention, questions, orders. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Atención',
  attentionNoText: 'Revisa bien esta entrada.',
  note: 'Nota',
  addons: (names) => `Con ${names.join(', ')}`,
  order: ({ inside, of }) => `Dentro: ${inside} de ${of} de este pedido`,
  ownScan: (n) => count(n, { one: '# más se escanea aparte', other: '# más se escanean aparte' }),
  blind: 'Sin conexión: no se ven nombre, notas, preguntas ni pedido.',

  askFirst: 'Pregunta antes',
  waits: 'Que espere hasta que se responda.',
  questions: (n) => count(n, { one: '# pregunta', other: '# preguntas' }),
  answer: 'Responder',
  answerNamed: (what) => `Responder: ${what}`,

  tray: {
    title: (n) => `${n} por revisar`,
    seen: 'Visto',
    seenNamed: (what) => `Visto: ${what}`,
    drop: (what) => `Quitar sin responder: ${what}`,
    waits: 'Espera fuera',
  },

  form: {
    title: 'Preguntas',
    submit: 'Enviar',
    submitWaits: 'Enviar y comprobar',
    later: 'Luego',
    optional: 'opcional',
    yes: 'Sí',
    no: 'No',
    choose: 'Elegir',
    notAskable: 'No se puede responder en este móvil. Si es obligatoria, envía a taquilla.',
    problems: {
      missing: 'Falta la respuesta.',
      must_be_yes: 'Solo vale «sí». Si no, envía a taquilla.',
      too_long: 'Demasiado largo: acórtalo.',
      not_a_number: 'Escribe un número.',
      not_an_option: 'Elige de la lista.',
      not_a_date: 'Escribe una fecha.',
      not_a_time: 'Escribe una hora, por ejemplo 19:05.',
      not_a_country: 'Elige un país.',
      not_a_phone: 'Escribe un teléfono.',
      not_askable: 'Envía a taquilla.',
    },
  },

  group: {
    admit: (n) => `Dar paso a ${n} más del pedido`,
    title: 'Otras de este pedido',
    busy: 'Comprobando…',
    done: 'Listo',
    again: 'Reintentar',
    admitted: (n, of) =>
      n === of ? count(n, { one: 'Ha pasado #.', other: 'Han pasado #.' }) : `Han pasado ${n} de ${of}.`,
    takeBack: (n) => `Deshacer la número ${n}`,
  },
}
