/** Sentences for problems of a map, which the screen Event shows, in French. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'Il n’y a pas de chemin sur le plan : on ne peut envoyer personne nulle part.',
  nothing_drawn: 'Le plan est vide : tracez des chemins, des portes et des lieux.',
  no_gates: 'Aucune porte de l’événement n’est sur le plan : placez-en une, car tout chemin y commence.',
  path_far: 'Le chemin le plus proche est à {metres} m, et {most} m sont le maximum : tracez un chemin qui y mène.',
  node_far: 'Son nœud est à {metres} m, et {most} m sont le maximum : indiquez-en un plus proche, ou déplacez-le.',
  no_path_on_floor: 'Il n’y a pas de chemin au niveau {floor} : tracez-en un qui y mène.',
  no_path_here: 'Aucun chemin ne mène ici depuis une porte.',
  left_out: 'Ce lieu ne sera pas sur le plan.',
  steps_only: 'Tous les chemins vers ici ont des marches, un escalator, une pente ou un passage étroit.',
  zone_not_drawn: 'Cette zone n’est pas tracée : les chemins qui la traversent sont montrés avec tous les billets.',
  border_elsewhere:
    'Aucun chemin ne mène de « {from} » à « {to} » à moins de {metres} m du point de contrôle « {checkpoint} » : tracez-en un.',
  border_elsewhere_in:
    'Aucun chemin ne mène de l’extérieur à « {to} » à moins de {metres} m du point de contrôle « {checkpoint} » : tracez-en un.',
  border_elsewhere_out:
    'Aucun chemin ne sort de « {from} » à moins de {metres} m du point de contrôle « {checkpoint} » : tracez-en un.',
  open_border: 'Ce chemin mène d’une zone à une autre là où il n’y a pas de point de contrôle : {zones}.',
  open_border_outside: 'Ce chemin mène de l’extérieur à « {zones} » là où il n’y a pas de point de contrôle.',
  unconnected: 'Ce chemin n’est pas relié aux autres : tracez la liaison.',
  unconnected_more: 'De même pour {paths}.',
  no_node: 'Il n’y a pas de nœud « {id} ».',
  node_unused: 'Aucun chemin ne commence, ne finit ni ne passe ici.',
  ambiguous: 'À la même distance : {between}. Dites lequel, ou déplacez-le.',
  ambiguous_ends: 'Deux bouts de {path} sont à la même distance : dites lequel, ou déplacez-le.',
  path_short: 'Ce chemin est trop court et n’est pas pris.',
  path_one_point:
    'Les deux bouts de ce chemin sont un seul point au niveau {floor}, il n’est donc pas pris : nommez leurs nœuds avec « from » et « to ».',
  far_away: 'C’est loin du reste du plan : la longitude vient d’abord.',
  event_first: 'Corrigez d’abord l’événement.',
}
