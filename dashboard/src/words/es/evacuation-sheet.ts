/** Groups of people that the figures of the evacuation sheet leave out, in Spanish. */
import type { BoxWords } from '../said.ts'

export const evacuationSheetWords: BoxWords['evacuation'] = {
  unscanned:
    'Quien haya entrado sin pasar por un escáner: personal y artistas sin entrada, y gente que pasó sin control por una puerta abierta.',
  no_way_out:
    'Quien salió de {zone} y no pasó a otra zona: allí no se escanea la salida, así que sigue contando como si estuviera dentro.',
  scanners_silent: {
    one: '# escáner no da señales: {names}. «Máximo» incluye una estimación de la gente que puede haber dejado entrar.',
    other:
      '# escáneres no dan señales: {names}. «Máximo» incluye una estimación de la gente que pueden haber dejado entrar.',
  },
  unsent: {
    one: '# escaneo aún no ha llegado a ningún servidor.',
    other: '# escaneos aún no han llegado a ningún servidor.',
  },
  box_silent: 'Quien haya pasado por {name} desde el último contacto: pregunta también allí.',
  box_behind: {
    one: '# anotación de {name} que aún está por llegar.',
    other: '# anotaciones de {name} que aún están por llegar.',
  },
  passed_back:
    'Entradas que se pasaron a otra persona y se usaron dos veces, y personas de listas en papel que aún no se han tecleado.',
}
