/** Texts of the screen Event, in Portuguese. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords, count } from './actions.ts'
import { speech } from './speech.ts'

const tickets = (n: number) => count(n, 'bilhete')
const paired = (n: number) =>
  speech.count(n, { one: '# leitor está emparelhado', other: '# leitores estão emparelhados' })

export const guideWords: typeof English = {
  lead: 'Nome, portas e tipos de bilhete. O que mudar aqui é escrito em event.json, e vale quando a caixa recomeçar.',
  greeting: 'Esta caixa está com o evento de demonstração',
  greetingText: 'Crie o seu em poucos minutos: do ficheiro da sua loja de bilhetes, ou do zero.',
  greetingOpen: 'Criar o meu evento',
  again: actionWords.list.again,
  start: {
    title: 'Começar',
    lead: 'Esta caixa está com a demonstração. O seu evento começa por um nome.',
    name: 'Nome do evento',
    noName: 'Dê primeiro um nome ao evento.',
    file: 'Ficheiro da sua loja de bilhetes',
    fileHint: 'Um CSV, se tiver. Dele vêm os tipos de bilhete; os bilhetes importam-se mais tarde.',
    column: 'Coluna com o tipo de bilhete',
    noColumn: 'Nenhuma: um só tipo de bilhete',
    found: (n) => speech.count(n, { one: '# tipo de bilhete encontrado.', other: '# tipos de bilhete encontrados.' }),
    unreadable: 'Não é possível ler aqui este ficheiro. Guarde-o como CSV.',
    go: 'Criar o evento',
    shop: 'Ou ligar o pretix',
  },
  basics: {
    title: 'Nome e horas',
    name: 'Nome',
    timezone: 'Fuso horário',
    starts_at: 'Começa',
    ends_at: 'Acaba',
    day_starts_at: 'Um dia começa às',
    dayHint: 'Para bilhetes que entram uma vez por dia.',
  },
  tiers: {
    title: 'Tipos de bilhete',
    one: 'Tipo de bilhete',
    colour: 'Cor',
    entry: 'Pode entrar',
    entries: {
      once: 'Uma vez',
      once_per_day: 'Uma vez por dia',
      reentry: 'De novo depois de sair',
      unlimited: 'As vezes que quiser',
    },
  },
  zones: { title: 'Zonas', one: 'Zona', capacity: 'Lotação' },
  gates: { title: 'Portas', one: 'Porta', hint: 'Uma porta nova tem uma entrada e uma saída.' },
  checkpoints: {
    title: 'Passagens pelas portas',
    one: 'Passagem',
    gate: 'Porta',
    direction: 'Sentido',
    directions: { in: 'Entrada', out: 'Saída' },
    from: 'De',
    to: 'Para',
    outside: 'Fora',
    tiers: 'Quem passa',
  },
  add: (what) => `Adicionar: ${what}`,
  newName: (what) => `Nome: ${what}`,
  remove: (name) => `Remover ${name}`,
  preview: {
    title: 'Como vai ficar',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'ninguém',
  },
  check: {
    title: 'Verificar e guardar',
    checking: 'A verificar…',
    good: 'Nenhum erro.',
    mistakes: (n) => `${count(n, 'erro')} a corrigir:`,
    warnings: 'Provavelmente sem querer:',
    changes: 'Isto muda o que já existe:',
    accept: 'Li isto, e é o que quero',
    save: 'Guardar o evento',
    saved: 'Guardado.',
    unchanged: 'Guardado, e a caixa já está com ele.',
    kept: 'Ainda não guardado. Este navegador guarda o rascunho.',
    discard: 'Deitar fora o rascunho',
    otherBoxes: (n) =>
      `${speech.count(n, { one: '# outra caixa tem', other: '# outras caixas têm' })} a sua própria pasta do evento: mude-a lá também.`,
  },
  conflict: {
    text: 'O ficheiro mudou enquanto tinha este rascunho.',
    file: 'Abrir o ficheiro',
    draft: 'Manter o rascunho',
  },
  pending: {
    title: 'Começar com ele',
    text: 'O evento está guardado, e a caixa ainda está com o anterior. Fecha e abre em segundos; entretanto, os leitores decidem sozinhos.',
    first: 'O navegador pergunta mais uma vez pelo certificado, porque o seu evento tem o próprio.',
    apply: 'Recomeçar agora',
    applying: 'A caixa está a recomeçar…',
    reload: 'Abrir esta página de novo',
  },
  next: {
    title: 'A seguir',
    tickets: 'Importar os bilhetes',
    devices: 'Emparelhar os leitores',
    rehearse: 'Ensaiar antes de abrir',
    sheets: 'Imprimir uma folha para cada porta',
    folder: 'A pasta do evento:',
  },
  change: {
    tier_removed: (name, n) => `Deixam de entrar em qualquer lado: ${tickets(n.tickets)} de «${name}».`,
    tier_entry: (name, n) => `Muda o número de entradas: ${tickets(n.tickets)} de «${name}».`,
    tier_elsewhere: (name, n) => `Mandados embora de uma passagem que os aceitava: ${tickets(n.tickets)} de «${name}».`,
    zone_removed: (name, { inside }) =>
      `${speech.count(inside, { one: '# pessoa está', other: '# pessoas estão' })} em «${name}», que desaparece.`,
    gate_removed: (name, { scanners }) => `${paired(scanners)} para «${name}», que desaparece.`,
    checkpoint_removed: (name, { scanners }) => `${paired(scanners)} para «${name}», que desaparece.`,
    checkpoint_moved: (name, { scanners }) =>
      `${speech.count(scanners, { one: '# leitor lê', other: '# leitores leem' })} em «${name}», que passa a dar para outro lado.`,
    days: (_name, n) =>
      `Os dias começam a outra hora para ${tickets(n.tickets)}: um dia pode ser usado duas vezes, ou nenhuma.`,
  },
  blank: { tier: 'Bilhete', zone: 'Interior', gate: 'Porta principal' },
}
