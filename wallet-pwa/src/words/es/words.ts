/** Text on every screen, and on the ticket's own, in Spanish. */
import type { words as English } from '../en/words.ts'

export const words: typeof English = {
  title: 'Gatehouse Entradas',
  screens: { ticket: 'Entrada', nearby: 'Cerca', news: 'Avisos', more: 'Más' },
  screensLabel: 'Pantallas',
  yourTickets: 'Tus entradas',
  ticketName: (number, tier, whose) => (tier === undefined ? `Entrada ${number}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => `${n} sin leer`,
  close: 'Cerrar',
  cancel: 'Ahora no',
  tryAgain: 'Reintentar',
  add: 'Añadir una entrada',
  remove: 'Quitar',

  live: 'Conectado',
  asking: 'Conectando',
  offline: 'Sin conexión',
  offlineLong: (age) => `Sin conexión. Lo que ves es de ${age}. Tu código funciona sin red.`,
  forgetful:
    'Este navegador no guarda nada. Deja esta página abierta hasta que estés dentro, o abre tu enlace en otro navegador.',

  justNow: 'hace un momento',

  ticket: {
    heading: 'Tu entrada',
    opening: 'Abriendo tu entrada',
    code: 'Código de la entrada: cambia cada 15 segundos. Muéstralo al escáner; pulsa para ampliarlo.',
    codeLarge: 'Código de la entrada',
    bright: 'Sube el brillo al máximo y mantén el móvil quieto.',
    awake: 'Sigue tocando la pantalla para que no se apague.',
    next: (seconds) => `Código nuevo en ${seconds} s`,
    enlarge: 'toca para ampliar',
    making: 'Creando tu código',
    holder: 'Nombre',
    zones: 'Acceso',
    valid: 'Validez',
    validFrom: (from) => `desde ${from}`,
    validUntil: (until) => `hasta ${until}`,
    validBetween: (from, until) => `${from} – ${until}`,
    early: (from) => `Aún no es válida. Desde: ${from}.`,
    late: (until) => `Caducada: ${until}.`,
    revoked: {
      title: 'Anulada',
      text: 'La organización ha anulado esta entrada. Pregunta en taquilla o a quien te la vendió.',
    },
    blocked: 'Bloqueada por la organización. En la puerta, pide un supervisor y muestra este código.',
    pending: 'Aún sin pagar. Págala donde la compraste o muestra este código a un supervisor en la puerta.',
    unknown:
      'Esta entrada ya no consta en el evento. Si una puerta rechaza el código, pide otro enlace a la organización.',
    unsigned:
      'Este móvil no ha podido demostrar ahora que la entrada está vinculada a él. Si una puerta rechaza el código, pide un supervisor.',
    slow: (by) =>
      `El reloj de este móvil va ${by} atrasado. Tu código lo tiene en cuenta, pero pon la hora en automático.`,
    fast: (by) =>
      `El reloj de este móvil va ${by} adelantado. Tu código lo tiene en cuenta, pero pon la hora en automático.`,
  },

  trouble: {
    unreachable: {
      title: 'Sin conexión',
      text: 'La primera vez que se abre, una entrada necesita conexión. Conéctate al wifi del recinto o activa los datos móviles; esta página lo reintenta sola.',
    },
    unknown: {
      title: 'Este enlace no funciona',
      text: 'Abre el enlace en el propio mensaje de la organización, no una copia. Si sigue sin funcionar, pídele otro.',
    },
    elsewhere: {
      title: 'Vinculada a otro móvil',
      text: 'Esta entrada se vinculó a otro móvil y solo se abre allí. Si no has sido tú, pide a la organización o en taquilla que la liberen.',
    },
    keyDeleted: {
      title: 'La clave de esta entrada ya no está',
      text: 'Este navegador la ha borrado y este móvil ya no puede mostrar la entrada. Pide a la organización o en taquilla que la liberen y vuelve a abrir tu enlace.',
    },
    busy: {
      title: 'Demasiados intentos desde esta red',
      text: 'Se han abierto demasiados enlaces erróneos en esta red. Espera un minuto; esta página lo reintenta sola.',
    },
    unloaded: {
      title: 'Esta página aún no está en tu móvil',
      text: 'Necesita conexión una vez. Tu entrada y su código funcionan sin conexión. Esta página lo reintenta sola.',
    },
    refused: {
      title: 'No ha funcionado',
      text: 'Cierra esta página y vuelve a abrir tu enlace. Si no se arregla, pregunta en taquilla.',
    },
  },

  emergency: 'Emergencia',

  welcome: {
    heading: 'Tus entradas, en este móvil',
    text: 'Abre el enlace que te envió la organización o añádelo a mano.',
  },
}
