/** Sentences about lines of a guest list, and about limits of sales, in Spanish. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'La línea no tiene nombre: ponlo al principio.',
  name_long: 'El nombre pasa de {most} caracteres: ¿es un solo invitado?',
  name_strange: 'El nombre tiene un carácter que no se puede imprimir: escríbelo otra vez.',
  name_twice: '«{name}» ya está en la línea {line}: borra una o pon +N allí.',
  plus_twice: 'Dos números en una línea: pon +N una sola vez, por quienes trae {name}.',
  plus_large: '+{plus} es demasiado para un invitado: {most} como mucho.',
  tier_strange: 'No hay ningún tipo de entrada «{tier}». Escribe uno de estos: {tiers}.',
  tier_twice: 'Dos tipos en una línea: pon cada invitado en la suya.',
  tier_open: 'Elige el tipo de las líneas que no lo digan.',
  list_long: 'Una lista tiene {most} invitados como mucho: empieza otra desde aquí.',
  tier_full: '{tier}: por vender en la puerta, {left} de {most}; se piden {wanted}.',
  zone_full: '{zone}: hay {inside} de {most} personas dentro y vendrían {coming} más.',
}
