/** Text read while scanning, in Spanish: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

export const words: typeof English = {
  title: 'Gatehouse Escáner',
  opening: 'Abriendo.',
  doesNotOpen: 'El escáner no se ha abierto en este móvil. Ciérralo y vuelve a abrirlo.',
  again: 'Reintentar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  back: 'Atrás',
  dismiss: 'Descartar',
  unexpected: 'No ha funcionado. Reinténtalo.',
  rehearsal: 'Ensayo: no se cuenta a nadie',

  nav: {
    label: 'Pantallas',
    scan: 'Escanear',
    recent: 'Últimos',
    shift: 'Turno',
    settings: 'Ajustes',
  },

  link: {
    reachable: 'Conectado',
    neverHeard: 'Sin conexión',
    away: (box) => `En ${box}`,
    offline: (ms) => `Sin red ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Todo enviado' : `${n} sin enviar`),
  },

  camera: {
    viewfinder: 'Imagen de la cámara',
    opening: 'Abriendo la cámara.',
    switch: 'Otra cámara',
    automatic: 'Cámara trasera',
    numbered: (n) => `Cámara ${n}`,
    torchOn: 'Encender linterna',
    torchOff: 'Apagar linterna',
    open: 'Abrir la cámara',
    reader: {
      absent:
        'El lector de QR aún no está en este móvil. Conéctate a la red del servidor; mientras, teclea los códigos.',
      stopped: 'El lector de QR se ha parado y se reinicia. Si tarda, teclea el código.',
    },
    trouble: {
      denied: {
        what: 'La cámara está bloqueada.',
        remedy:
          'Permítela para esta página: en el candado o la cámara junto a la dirección, o en los ajustes del móvil para este navegador.',
      },
      absent: { what: 'No hay ninguna cámara.', remedy: 'Conecta una, usa un lector de mano o teclea el código.' },
      busy: { what: 'Otra app está usando la cámara.', remedy: 'Cierra esa app y abre la cámara aquí.' },
      lost: { what: 'La cámara se ha parado.', remedy: 'Se reinicia sola. Si no, pulsa el botón.' },
      insecure: {
        what: 'Esta página no puede usar la cámara.',
        remedy: 'Ábrela con https://, como en la invitación.',
      },
      unknown: {
        what: 'La cámara no se ha abierto.',
        remedy: 'Pulsa el botón. Si vuelve a fallar, reinicia el móvil.',
      },
    },
    wedgeWorks: 'Puedes seguir con lector de mano o tecleando.',
  },

  scan: {
    title: 'Escanear',
    change: 'Cambiar punto de control',
    type: 'Teclear',
    typeTitle: 'Teclear el código',
    typeLabel: 'Código impreso en la entrada',
    typeSubmit: 'Comprobar este código',
    lookUp: 'Buscar',
    lookUpLong: 'Buscar una entrada por nombre',
    report: 'Avisar',
    reportLong: 'Avisar de una incidencia',
    last: 'Último escaneo',
    none: 'Aún no hay escaneos',
    tapForSound: 'Toca para oír',
    failed: 'Ese código no tuvo respuesta. Escanéalo otra vez.',
    notices: 'Avisos',
  },

  notice: {
    hold: (gate) => `${gate}: acceso cortado`,
    holdUntil: (ms) => `Hasta: ${clock(ms)}.`,
    stale: (ms) => `Lista de entradas de hace ${duration(ms)}`,
    staleText: 'Aquí no se conocen las entradas nuevas ni las anuladas después. Vuelve con este móvil a la red.',
    noList: 'Sin lista de entradas en este móvil',
    noListText: 'Sin conexión no puede comprobar entradas. Llévalo a la red.',
    offline: (ms) =>
      ms === null ? 'Sin conexión: decide este móvil' : `Sin conexión desde hace ${duration(ms)}: decide este móvil`,
    offlineText: 'Sigue escaneando. Todo se envía cuando vuelva el servidor.',
    away: (box) => `Tu servidor no funciona: responde ${box}`,
    awayText: 'Sigue escaneando. Este móvil vuelve solo al suyo.',
    joined: (box) => `Nuevo servidor: ${box}`,
    joinedText: 'Cuando haya calma, reinicia esta app en Ajustes: así podrá usarlo si falla el tuyo.',
    doubles: (n) => count(n, { one: 'Una entrada se usó dos veces', other: '# entradas se usaron dos veces' }),
    doublesText: 'Pasaron aquí sin conexión y también en otro sitio.',
    aside: (n) => count(n, { one: 'El servidor rechazó un acceso', other: 'El servidor rechazó # accesos' }),
    asideText: 'Fue sin conexión y sigue guardado en este móvil. Avisa a la central.',
    more: (n) => `+${n}`,
    look: 'Abrir',
    emergency: (kind, where) => `${kind} en ${where}`,
    emergencyText: 'Aviso de otro escáner.',
    announcement: { info: 'Aviso', warning: 'Atención', emergency: 'Emergencia' },
    dismissNamed: (what) => `Descartar: ${what}`,
  },

  verdict: {
    label: 'Resultado',
    next: 'Siguiente',
    waiting: (n) => count(n, { one: '# más espera', other: '# más esperan' }),
    confirmed: 'Confirmado por el servidor',
    confirmedBy: (box) => `Confirmado por ${box}`,
    provisional: 'Provisional: sin confirmar por los otros servidores',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Provisional: aún sin contacto con ${boxes}`
        : `Provisional: sin contacto con ${boxes} desde hace ${duration(ms)}`,
    moreBoxes: (n) => `${n} más`,
    provisionalBy: (box, why) => `${why}. Responde ${box}`,
    offline: (ms) =>
      ms === undefined
        ? 'Sin conexión: decide este móvil'
        : `Sin conexión desde hace ${duration(ms)}: decide este móvil`,
    class: {
      admit: 'Adelante',
      exit: 'Salida',
      used: 'Ya usada',
      elsewhere: 'Otra puerta',
      'not-now': 'Ahora no',
      stale: 'Código antiguo',
      invalid: 'No válida',
      revoked: 'Anulada',
      supervisor: 'Llama al supervisor',
    },
    yours: 'Decides tú',
    held: 'Acceso cortado',
    clockOff: 'Hora del móvil incorrecta',
    undone: 'Deshecho',
    failed: 'Sin decidir',
    failedSure: 'No se ha comprobado nada',
    entry: (n) => `Acceso ${n}`,
    undo: 'Deshacer',
    undoTitle: 'Deshacer este acceso',
    undoText: 'La entrada se podrá volver a usar. La central ve quién lo hizo y por qué.',
    undoReasons: ['Escaneada por error', 'No ha entrado', 'Otra persona'],
    admit: 'Dejar pasar',
    admitTitle: 'Dejar pasar como supervisor',
    admitText: 'El motivo queda registrado.',
    admitReasons: [
      'Entrada revisada a mano',
      'Vuelve de una salida breve',
      'Móvil o código estropeado',
      'Error previo del personal',
    ],
    reason: 'Motivo',
    admitSubmit: 'Dejar pasar',
    undoSubmit: 'Deshacer',
  },

  incidents: {
    title: 'Avisar',
    lead: 'Con una pulsación avisas a la central.',
    kinds: {
      crush: 'Avalancha',
      medical: 'Caso médico',
      need_staff: 'Falta personal',
      fire: 'Incendio',
      security: 'Seguridad',
      lost_child: 'Niño perdido',
      access: 'Silla de ruedas',
      equipment: 'Material',
    },
    note: 'Nota para el aviso (opcional)',
    noteHint: 'Dónde exactamente y qué ves. Sin nombres. Escríbela antes de pulsar.',
    addNote: 'Añadir una nota',
    noteLater: 'Nota para la central',
    noNames: 'Dónde exactamente y qué ha cambiado. Sin nombres.',
    sendNote: 'Enviar nota',
    withdraw: 'Retirar',
    withdrawTitle: (kind) => `¿Retirar «${kind}»?`,
    withdrawText: 'La central lo ve como falsa alarma. No viene nadie.',
    sending: 'Enviando…',
    notSent: 'NO ENVIADO. Usa la radio.',
    notSentText: 'Este móvil lo sigue intentando y aquí dirá cuándo ha llegado.',
    refused: (why) => `El servidor lo ha rechazado: ${why}`,
    received: 'Recibido. Aún no lo ha visto nadie.',
    receivedText: 'Se llama a la central hasta que alguien responda.',
    seen: 'Visto por la central.',
    named: (kind, state) => `${kind}: ${state}`,
    own: 'Tus avisos',
    ownNone: 'Aún no hay avisos.',
    here: 'Avisos de otros en esta puerta',
    elsewhere: 'Emergencias en otros sitios',
    waiting: '¿Cuánta gente hay esperando aquí?',
    waitingHint: 'Un número aproximado ayuda a la central a enviar gente a una cola más corta.',
    people: (n) => (n === 0 ? 'Nadie' : `Unas ${n}`),
    waitingSent: (n) => (n === 0 ? 'Enviado: no espera nadie.' : `Enviado: esperan unas ${n} personas.`),
    ticks: { pressed: 'Pulsado', received: 'Recibido', seen: 'Visto' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Visto por ${actor}.` : 'Visto por la central.'
        case 'assigned':
          return assignee ? `En camino: ${assignee}.` : 'La ayuda va en camino.'
        case 'resolved':
          return 'Resuelto.'
        case 'cancelled':
          return 'Cerrado como falsa alarma.'
        default:
          return 'Aún no lo ha visto nadie.'
      }
    },
    withdrawn: 'Retirado en la puerta.',
    reason: (reason) => `«${reason}»`,
    pressedAndReceived: (pressed, received) => `pulsado ${pressed}, recibido ${received}`,
  },
}
