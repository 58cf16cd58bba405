/** The sentences of the look-up screen, in Portuguese. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Procurar um bilhete',
  lead: 'Por nome, encomenda ou lugar. O seu nome fica registado; o que escreve, não.',
  field: 'Nome, encomenda ou lugar',
  hint: 'Pelo menos três letras ou algarismos.',
  find: 'Procurar',
  busy: 'A procurar…',
  few: 'Escreva pelo menos três letras ou algarismos.',
  offline: 'Este telemóvel está offline, e só a box tem os nomes. Espere, ou encaminhe para a bilheteira.',
  signOn: 'Identifique-se primeiro: cada pesquisa fica registada com um nome.',
  toShift: 'Identificar-se em Turno',
  nothing: 'Nenhum bilhete encontrado. Tente com menos letras do nome, ou encaminhe para a bilheteira.',
  reading: 'A box ainda está a carregar bilhetes. Daqui a pouco pode haver mais.',
  more: 'Há mais resultados. Escreva mais letras do nome.',
  results: (n) => speech.count(n, { one: '# bilhete', other: '# bilhetes' }),
  unnamed: 'Sem nome',
  order: (code) => `Encomenda ${code}`,
  states: { valid: 'Válido', pending: 'Não pago', blocked: 'Bloqueado', revoked: 'Anulado' },
  inside: 'Lá dentro',
  outside: 'Não está lá dentro',
}
