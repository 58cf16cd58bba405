/** Groups of people that the figures of the evacuation sheet leave out, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned: 'Quem entrou sem leitura: equipa e artistas sem bilhete, e quem passou sem controlo por uma porta aberta.',
  no_way_out:
    'Quem saiu de {zone} e não foi para outra zona: ali não há leitura à saída, por isso ainda conta como estando lá dentro.',
  scanners_silent: {
    one: '# leitor não dá sinal: {names}. «No máximo» inclui uma estimativa das pessoas que pode ter deixado entrar.',
    other:
      '# leitores não dão sinal: {names}. «No máximo» inclui uma estimativa das pessoas que podem ter deixado entrar.',
  },
  unsent: { one: '# leitura ainda não chegou a nenhuma box.', other: '# leituras ainda não chegaram a nenhuma box.' },
  box_silent: 'Quem passou por {name} desde o último contacto: pergunte lá também.',
  box_behind: { one: '# linha de {name} ainda por chegar.', other: '# linhas de {name} ainda por chegar.' },
  passed_back:
    'Bilhetes passados a outra pessoa e usados duas vezes, e pessoas em listas em papel que ainda não foram introduzidas.',
}
