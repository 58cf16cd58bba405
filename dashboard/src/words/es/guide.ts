/** Texts of the screen Event, in Spanish. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech

const tickets = (n: number, one: string, other: string) =>
  count(n, { one: `# entrada ${one}`, other: `# entradas ${other}` })
const paired = (n: number) => count(n, { one: '# escáner emparejado', other: '# escáneres emparejados' })

export const guideWords: typeof English = {
  lead: 'Nombre, puertas y tipos de entrada. Lo que cambies aquí se escribe en event.json y vale cuando el servidor vuelva a empezar.',
  greeting: 'Este servidor tiene el evento de demostración',
  greetingText: 'Crea el tuyo en unos minutos: desde el archivo de tu tienda o desde cero.',
  greetingOpen: 'Crear mi evento',
  again: actionWords.list.again,
  start: {
    title: 'Empezar',
    lead: 'Este servidor tiene la demostración. Tu evento empieza con un nombre.',
    name: 'Nombre del evento',
    noName: 'Pon antes un nombre al evento.',
    file: 'Archivo de tu tienda de entradas',
    fileHint: 'Un CSV, si lo tienes. De él se toman los tipos de entrada; las entradas se importan después.',
    column: 'Columna con el tipo de entrada',
    noColumn: 'Ninguna: un solo tipo',
    found: (n) => count(n, { one: '# tipo de entrada encontrado.', other: '# tipos de entrada encontrados.' }),
    unreadable: 'Este archivo no se puede leer aquí. Guárdalo como CSV.',
    go: 'Crear el evento',
    shop: 'O conectar pretix',
  },
  basics: {
    title: 'Nombre y horario',
    name: 'Nombre',
    timezone: 'Zona horaria',
    starts_at: 'Empieza',
    ends_at: 'Termina',
    day_starts_at: 'El día empieza a las',
    dayHint: 'Para entradas que pasan una vez al día.',
  },
  tiers: {
    title: 'Tipos de entrada',
    one: 'Tipo de entrada',
    colour: 'Color',
    entry: 'Puede entrar',
    entries: {
      once: 'Una vez',
      once_per_day: 'Una vez al día',
      reentry: 'Otra vez tras salir',
      unlimited: 'Cuantas veces quiera',
    },
  },
  zones: { title: 'Zonas', one: 'Zona', capacity: 'Aforo' },
  gates: { title: 'Puertas', one: 'Puerta', hint: 'Una puerta nueva tiene un punto de entrada y otro de salida.' },
  checkpoints: {
    title: 'Puntos de control',
    one: 'Punto de control',
    gate: 'Puerta',
    direction: 'Sentido',
    directions: { in: 'Entrada', out: 'Salida' },
    from: 'De',
    to: 'A',
    outside: 'Fuera',
    tiers: 'Quién pasa',
  },
  add: (what) => `Añadir: ${what}`,
  newName: (what) => `Nombre: ${what}`,
  remove: (name) => `Quitar ${name}`,
  preview: {
    title: 'Así quedará',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'nadie',
  },
  map: {
    title: 'Plano',
    lead: 'Muestra el camino al público en su entrada, y al equipo qué pasa y dónde.',
    none: 'No hay plano: a nadie se le muestra el camino.',
    unreadable: 'El archivo venue.geojson no es un plano: importa otro o corrígelo a mano.',
    tooLarge: 'Estos archivos pasan de 4 MB. Usa «gatehouse venue import» en la línea de comandos.',
    nothing: 'Con estos archivos no se puede hacer un plano.',
    files: 'Archivos del plano',
    filesHint: 'IMDF, GTFS o GeoJSON. Descomprime el archivo y elige todos sus ficheros a la vez.',
    zone: 'Todo el recinto es',
    noZone: 'Ninguna zona',
    entrance: (gate) => `${gate} es el acceso`,
    byHand: 'Ninguno: la pongo en el plano',
    gates: 'Puertas en el plano',
    gatesHint:
      'Elige una puerta y haz clic donde está. Con el teclado: las flechas mueven la cruz, Intro pone la puerta.',
    drawing: 'Dibujo del plano',
    placed: (gate) => `${gate} está en el plano.`,
    unplaced: '(aún no está en el plano)',
    save: 'Guardar el plano',
    discard: 'Deshacer los cambios',
    remove: 'No usar plano',
  },
  check: {
    title: 'Comprobar y guardar',
    checking: 'Comprobando…',
    good: 'Sin errores.',
    mistakes: (n) => count(n, { one: '# error por corregir:', other: '# errores por corregir:' }),
    warnings: 'Quizá no es lo que quieres:',
    changes: 'Esto cambia lo que ya existe:',
    accept: 'Lo he leído y lo quiero así',
    save: 'Guardar el evento',
    saved: 'Guardado.',
    unchanged: 'Guardado, y el servidor ya lo usa.',
    kept: 'Aún sin guardar. Este navegador conserva el borrador.',
    discard: 'Descartar el borrador',
    otherBoxes: (n) =>
      `${count(n, { one: '# servidor más tiene', other: '# servidores más tienen' })} su propia carpeta del evento: cámbialo también allí.`,
  },
  conflict: {
    text: 'El archivo cambió mientras tenías este borrador.',
    file: 'Abrir el archivo',
    draft: 'Conservar el borrador',
  },
  pending: {
    title: 'Ponerlo en marcha',
    text: 'El evento está guardado, pero el servidor sigue con el anterior. Se cierra y vuelve a abrirse en segundos; mientras, los escáneres deciden solos.',
    first: 'El navegador volverá a preguntar por el certificado, porque tu evento tiene el suyo.',
    apply: 'Volver a empezar ahora',
    applying: 'El servidor vuelve a empezar…',
    reload: 'Abrir otra vez esta página',
  },
  next: {
    title: 'Siguiente',
    tickets: 'Importar las entradas',
    devices: 'Emparejar los escáneres',
    rehearse: 'Ensayar antes de abrir',
    sheets: 'Imprimir una hoja para cada puerta',
    folder: 'La carpeta del evento:',
  },
  change: {
    tier_removed: (name, { tickets: n }) =>
      `${tickets(n, 'no podrá', 'no podrán')} entrar por ninguna puerta: «${name}».`,
    tier_entry: (name, { tickets: n }) => `${tickets(n, 'podrá', 'podrán')} entrar otro número de veces: «${name}».`,
    tier_elsewhere: (name, { tickets: n }) =>
      `${tickets(n, 'ya no podrá', 'ya no podrán')} entrar por un punto que antes servía: «${name}».`,
    zone_removed: (name, { inside }) =>
      `${count(inside, { one: '# persona está', other: '# personas están' })} en «${name}», que desaparece.`,
    gate_removed: (name, { scanners }) => `${paired(scanners)} para «${name}», que desaparece.`,
    checkpoint_removed: (name, { scanners }) => `${paired(scanners)} para «${name}», que desaparece.`,
    checkpoint_moved: (name, { scanners }) =>
      `${count(scanners, { one: '# escáner escanea', other: '# escáneres escanean' })} en «${name}», que lleva a otro sitio.`,
    days: (_name, { tickets: n }) =>
      `El día empieza a otra hora para ${count(n, { one: '# entrada', other: '# entradas' })}: un día puede usarse dos veces o ninguna.`,
  },
  blank: { tier: 'Entrada', zone: 'Dentro', gate: 'Puerta principal' },
}
