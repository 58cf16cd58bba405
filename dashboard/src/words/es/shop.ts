/** Texts of the screen Shop, in Spanish. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { changes, seconds } = actionWords.hq

export const shopWords: typeof English = {
  lead: 'El servidor lee las entradas de tu pretix y le dice quién ha pasado. Ningún escaneo espera por ello.',
  problem: 'No se puede seguir la tienda configurada.',
  nothing: 'No hay ninguna tienda conectada',
  nothingText:
    'Crea un token en pretix (Organizador → Dispositivos, o Equipos) y escribe esto donde está instalado el servidor. Te dice el paso siguiente y escribe lo que falta.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Copiar el comando',
  database: 'El servidor sigue la base de datos de una tienda',
  databaseText: 'Hasta dónde ha llegado y qué no se pudo aplicar está en la pantalla Sede.',
  openHq: 'Abrir Sede',
  down: 'Bajada: entradas',
  up: 'Subida: pasos',
  downStates: {
    current: 'Conectada, al día',
    first: 'Leyendo todos los pedidos por primera vez',
    away: 'Sin conexión',
  },
  upStates: {
    begins: 'Empieza cuando se hayan leído todos los pedidos una vez',
    current: 'Al día',
    behind: 'Poniéndose al día',
    asleep: 'Hay algo pendiente de una persona',
    waiting: 'Ahora no se puede informar a pretix',
    paused: 'Parado hasta que alguien cambie algo',
    other_box: 'A pretix le informa otro servidor de este evento',
  },
  source: 'Tienda',
  answered: 'Última respuesta',
  failing: 'Falla desde',
  changed: 'Último cambio',
  lag: 'Retraso',
  added: 'Entradas añadidas',
  ticketsChanged: 'Entradas cambiadas',
  compared: 'Última lectura completa',
  clocks: 'Diferencia de relojes',
  clocksText: (by) => `${seconds(Math.abs(by))}: pon en hora el que esté mal.`,
  seconds,
  reading: (page, pages) => `Leyendo todos los pedidos: página ${page}${pages === null ? '' : ` de ${pages}`}.`,
  readingLabel: 'Pedidos leídos',
  soon: 'Enseguida se vuelven a leer todos los pedidos.',
  notApplied: (n) =>
    `${speech.count(n, { one: '# línea de pedido no se pudo convertir en entrada. Corrígela', other: '# líneas de pedido no se pudieron convertir en entradas. Corrígelas' })} en pretix o en pretix.yaml. El motivo está en la pantalla Sede.`,
  compare: 'Comparar ahora',
  compareHint: 'Vuelve a leer todos los pedidos y encuentra lo borrado en pretix.',
  comparing: 'El servidor vuelve a leer todos los pedidos, sin molestar a las puertas.',
  sent: 'Comunicados desde el arranque',
  sentAt: 'Última comunicación',
  waiting: 'Pendientes de subir',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}; ${asleep} hasta que alguien lo reintente`,
  queue: 'Pendiente',
  queueEmpty: 'No hay nada pendiente.',
  queueAt: 'En la puerta',
  queueTicket: 'Entrada',
  queueWhy: 'La tienda dice',
  queueNext: 'Próximo intento',
  queueAsleep: 'Reintentar',
  noTicket: 'ninguna',
  notAsked: 'todavía nada',
  retry: 'Reintentar',
  retryHint: 'Corrige antes la causa. Esto pregunta enseguida a pretix y vuelve a enviar lo pendiente.',
  retried: 'Preguntando otra vez a pretix.',
  conflicts: 'La tienda dice otra cosa',
  noConflicts: 'Ningún caso abierto: pretix lo aceptó todo tal cual.',
  someConflicts: (n) =>
    `${speech.count(n, { one: '# caso abierto', other: '# casos abiertos' })}: alguien pasó y pretix no está de acuerdo.`,
  openCases: 'Abrir los casos',
}
