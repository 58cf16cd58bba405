/** Sentences for problems of a map, which the screen Event shows, in English. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'There is no path on the map: nobody can be sent anywhere.',
  nothing_drawn: 'The map is empty: draw paths, gates and places.',
  no_gates: 'No gate of the event is on the map: put one there, because every way begins at one.',
  path_far: 'The next path is {metres} m away, and {most} m is the most: draw a path that leads there.',
  node_far: 'Its node is {metres} m away, and {most} m is the most: name a nearer one, or move it.',
  no_path_on_floor: 'There is no path on floor {floor}: draw one that leads there.',
  no_path_here: 'No path leads here from any gate.',
  left_out: 'It is left out of the map.',
  steps_only: 'Every way here has steps, an escalator, a steep or a narrow stretch.',
  zone_not_drawn: 'This zone is not drawn: ways through it are shown to every ticket.',
  border_elsewhere:
    'No path leads from “{from}” to “{to}” within {metres} m of checkpoint “{checkpoint}”: draw one there.',
  border_elsewhere_in:
    'No path leads from outside into “{to}” within {metres} m of checkpoint “{checkpoint}”: draw one there.',
  border_elsewhere_out: 'No path leads out of “{from}” within {metres} m of checkpoint “{checkpoint}”: draw one there.',
  open_border: 'This path leads from one zone into another where no checkpoint stands: {zones}.',
  open_border_outside: 'This path leads from outside into “{zones}” where no checkpoint stands.',
  unconnected: 'This path is not joined with the others: draw the connection.',
  unconnected_more: 'The same goes for {paths}.',
  no_node: 'There is no node “{id}”.',
  node_unused: 'No path begins, ends or passes here.',
  ambiguous: 'Equally near: {between}. Say which one is meant, or move it.',
  ambiguous_ends: 'Two ends of {path} are equally near: say which one is meant, or move it.',
  path_short: 'This path is too short to be one, and is left out.',
  path_one_point:
    'Both ends of this path are one point on floor {floor}, so it is left out: name their nodes with “from” and “to”.',
  far_away: 'This is far away from the rest of the map: longitude comes first.',
  event_first: 'Correct the event first.',
}
