/** The sentences about a ticket's details, in Portuguese: attention, questions, orders. */
import type { askWords as English } from '../en/ask.ts'
import { speech } from './speech.ts'

const { count } = speech

export const askWords: typeof English = {
  attention: 'Atenção',
  attentionNoText: 'Verifique bem este bilhete.',
  note: 'Nota',
  addons: (names) => `Com ${names.join(', ')}`,
  order: ({ inside, of }) => `Lá dentro: ${inside} de ${of} desta encomenda`,
  ownScan: (n) => count(n, { one: 'Falta ler # outro bilhete', other: 'Falta ler # outros bilhetes' }),
  blind: 'Offline: nome, notas, perguntas e encomenda não aparecem.',

  askFirst: 'Pergunte primeiro',
  waits: 'Peça para esperar até haver resposta.',
  questions: (n) => count(n, { one: '# pergunta', other: '# perguntas' }),
  answer: 'Responder',
  answerNamed: (what) => `Responder: ${what}`,

  tray: {
    title: (n) => `${n} por verificar`,
    seen: 'Visto',
    seenNamed: (what) => `Visto: ${what}`,
    drop: (what) => `Retirar sem resposta: ${what}`,
    waits: 'À espera lá fora',
  },

  form: {
    title: 'Perguntas',
    submit: 'Enviar',
    submitWaits: 'Enviar e verificar',
    later: 'Mais tarde',
    optional: 'opcional',
    yes: 'Sim',
    no: 'Não',
    choose: 'Escolher',
    notAskable: 'Não dá para responder neste telemóvel. Se for obrigatório, encaminhe para a bilheteira.',
    problems: {
      missing: 'Responda, por favor.',
      must_be_yes: 'Só se aceita «sim». Caso contrário, encaminhe para a bilheteira.',
      too_long: 'Demasiado longo. Encurte.',
      not_a_number: 'Escreva um número.',
      not_an_option: 'Escolha uma opção da lista.',
      not_a_date: 'Escreva uma data.',
      not_a_time: 'Escreva uma hora, como 19:05.',
      not_a_country: 'Escolha um país.',
      not_a_phone: 'Escreva um número de telefone.',
      not_askable: 'Encaminhe para a bilheteira.',
    },
  },

  group: {
    admit: (n) => `Deixar entrar mais ${n} desta encomenda`,
    title: 'Outros desta encomenda',
    busy: 'A verificar…',
    done: 'Concluído',
    again: 'Tentar de novo',
    admitted: (n, of) =>
      n === of ? count(n, { one: '# admitido.', other: '# admitidos.' }) : `${n} de ${of} admitidos.`,
    takeBack: (n) => `Desfazer a entrada ${n}`,
  },
}
