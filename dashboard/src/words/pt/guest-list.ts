/** Sentences about lines of a guest list, and about limits of sales, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'A linha não tem nome: ponha-o no início.',
  name_long: 'O nome tem mais de {most} caracteres: é só um convidado?',
  name_strange: 'O nome tem um carácter que não se pode imprimir: escreva-o de novo.',
  name_twice: '«{name}» já está na linha {line}: apague uma ou ponha lá +N.',
  plus_twice: 'Dois números numa linha: ponha +N só uma vez, para quem vem com {name}.',
  plus_large: '+{plus} é demasiado para um convidado: {most} no máximo.',
  tier_strange: 'Não há nenhum tipo de bilhete «{tier}». Escreva um destes: {tiers}.',
  tier_twice: 'Dois tipos de bilhete numa linha: ponha cada convidado na sua.',
  tier_open: 'Escolha o tipo de bilhete das linhas que não o indicam.',
  list_long: 'Uma lista tem no máximo {most} convidados: comece outra a partir daqui.',
  tier_full: '{tier}: por vender à porta, {left} de {most}; pedidos: {wanted}.',
  zone_full: '{zone}: {inside} de {most} pessoas estão lá dentro, e viriam mais {coming}.',
}
