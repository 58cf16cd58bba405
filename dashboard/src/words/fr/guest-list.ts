/** Sentences about lines of a guest list, and about limits of sales, in French. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'La ligne n’a pas de nom : mettez-le en premier.',
  name_long: 'Le nom dépasse {most} caractères : est-ce bien un seul invité ?',
  name_strange: 'Le nom contient un caractère non imprimable : retapez-le.',
  name_twice: '« {name} » est déjà à la ligne {line} : supprimez l’une des deux, ou mettez-y +N.',
  plus_twice: 'Deux nombres sur une ligne : mettez +N une seule fois, pour ceux qui viennent avec {name}.',
  plus_large: '+{plus}, c’est trop pour un invité : {most} au plus.',
  tier_strange: 'Il n’y a pas de catégorie « {tier} » : écrivez l’une de celles-ci : {tiers}.',
  tier_twice: 'Deux catégories sur une ligne : une ligne par invité.',
  tier_open: 'Choisissez la catégorie des lignes qui n’en ont pas.',
  list_long: 'Une liste compte au plus {most} invités : commencez-en une autre ici.',
  tier_full: '{tier} : encore {left} sur {most} à vendre sur place, demandé : {wanted}.',
  zone_full: '{zone} : {inside} personnes sur {most} sont à l’intérieur, et {coming} s’ajouteraient.',
}
