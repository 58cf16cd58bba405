/** Groups of people that the figures of the evacuation sheet leave out, in French. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned:
    'Toute personne entrée sans scan : membres de l’équipe et artistes sans billet, et personnes passées sans contrôle par une porte ouverte.',
  no_way_out:
    'Les personnes sorties de {zone} sans aller dans une autre zone : on n’y scanne personne à la sortie, elles sont donc encore comptées à l’intérieur.',
  scanners_silent: {
    one: '# scanner ne répond plus : {names}. « Au plus » comprend une estimation des personnes qu’il a pu laisser entrer.',
    other:
      '# scanners ne répondent plus : {names}. « Au plus » comprend une estimation des personnes qu’ils ont pu laisser entrer.',
  },
  unsent: {
    one: '# scan n’est encore arrivé à aucun boîtier.',
    other: '# scans ne sont encore arrivés à aucun boîtier.',
  },
  box_silent: 'Les personnes scannées à {name} depuis le dernier contact : demandez là-bas aussi.',
  box_behind: { one: '# ligne de {name} encore à venir.', other: '# lignes de {name} encore à venir.' },
  passed_back:
    'Les billets passés à quelqu’un d’autre et utilisés deux fois, et les personnes sur des listes papier pas encore saisies.',
}
