/** Text under the ticket and on the screens beside it, in Spanish. */
import type { screenWords as English } from '../en/screens.ts'

import { speech } from './speech.ts'

const { count } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'Vincúlala a este móvil',
    why: 'Hasta que lo hagas, quien tenga tu enlace tiene tu entrada.',
    ask: 'Vincular a este móvil',
    heading: '¿Vincular esta entrada a este móvil?',
    does: [
      'Desde ahora, solo este móvil podrá mostrar la entrada.',
      'Los enlaces que hayas reenviado dejarán de funcionar, y puede que también un código impreso.',
      'No podrás deshacerlo por tu cuenta. Si pierdes este móvil, la organización puede liberar la entrada.',
      'No lo hagas en una ventana privada: la clave se pierde al cerrarla.',
    ],
    weak: 'Esta conexión no es segura, así que la clave se guarda sin protección en este navegador. Si puedes, abre tu enlace con https.',
    confirm: 'Vincular ahora',
    working: 'Vinculando',
    mine: 'Vinculada a este móvil.',
    mineWeak:
      'Vinculada a este móvil. Su clave se guarda sin protección en este navegador: es menos seguro que con https.',
    unsure: 'Aún sin confirmar. Mantén la conexión un momento antes de ir a la puerta.',
    released: 'La organización ha liberado esta entrada. Su enlace vuelve a funcionar y puedes vincularla otra vez.',
    unkept:
      'Este navegador no puede guardar claves, así que no se ha vinculado nada. Abre el enlace en una ventana normal o en otro navegador.',
  },

  install: {
    title: 'Tenla a mano',
    text: 'Pon tu entrada en la pantalla de inicio y ábrela sin tener que buscar el mensaje.',
    ios: 'Copia antes tu enlace. En Safari, toca Compartir y «Añadir a pantalla de inicio». Abre el icono nuevo y pega el enlace: aún no conoce tu entrada. Hazlo antes de vincular la entrada a este móvil.',
    button: 'Añadir a pantalla de inicio',
    dismiss: 'No, gracias',
  },

  nearby: {
    heading: 'Cerca',
    from: 'Estoy en',
    lastSeen: 'Mi última puerta',
    firstGate: 'Mi puerta de entrada',
    stepFree: 'Solo caminos sin escalones',
    show: 'Mostrar',
    everything: 'Todo',
    list: 'Lista',
    map: 'Mapa',
    views: 'Vista',
    looking: 'Cargando',
    none: 'No hay nada de esto donde vale tu entrada.',
    noneStepFree:
      'No se conoce ningún camino sin escalones. Desactiva la opción para ver el resto o pregunta al personal.',
    noMap: 'Este recinto aún no tiene mapa. Pregunta al personal.',
    failed: 'Hace falta conexión. Reinténtalo cuando vuelvas a tenerla.',
    old: (age) => `Sin conexión. Datos de ${age}.`,
    minutes: (n) => `${n} min`,
    metres: (n) => `${n} m`,
    via: (names) => `por ${names}`,
    stepFreeYes: 'Sin escalones',
    stepFreeNo: 'Con escalones',
    stepFreeUnverified: 'Sin comprobar si hay escalones',
    to: (name) => `Camino a ${name}`,
    larger: 'Ampliar',
    whole: 'Mapa entero',
    mapTitle: (event) => `Mapa de ${event}`,
    badMap: 'No se puede mostrar el mapa. Se volverá a cargar cuando tengas conexión.',
  },

  more: {
    heading: 'Entradas y ajustes',
    licences: 'Licencias de esta app',
    add: 'Añadir una entrada',
    paste: 'Enlace de la entrada',
    pasteHint: 'Copia el enlace del mensaje de la organización y pégalo aquí.',
    addButton: 'Añadir entrada',
    malformed: 'El enlace de la entrada no está entero. Cópialo completo del mensaje de la organización: contiene #t=.',
    remove: 'Quitar',
    removeLabel: (name) => `Quitar ${name}`,
    removeHeading: (name) => `¿Quitar ${name} de este móvil?`,
    removeText: 'La entrada sigue siendo válida y su enlace vuelve a abrirla.',
    removeMine:
      'Este móvil tiene la única clave de esta entrada. Sin ella, nadie podrá mostrarla hasta que la organización la libere.',
    removeConfirm: 'Quitar entrada',
    link: 'Ver enlace',
    linkLabel: (name) => `Ver enlace de ${name}`,
    linkHeading: 'El enlace de tu entrada',
    linkText: 'Quien tiene este enlace tiene la entrada. No se lo enseñes a nadie.',
    linkField: 'Enlace',
    copy: 'Copiar enlace',
    copied: 'Copiado',
    theme: 'Aspecto',
    language: 'Idioma',
    themes: { auto: 'Como el móvil', light: 'Claro', dark: 'Oscuro' },
    state: 'Este móvil',
    savedYes: 'Guardada. Se abre sin conexión.',
    savedNo: 'Guardando para usarla sin conexión.',
    savedNever:
      'Esta página funciona mientras esté abierta. Para volver a abrirla necesitas red, porque la conexión no es segura.',
    updated: (age) => `Entrada actualizada ${age}.`,
    clockRight: 'El reloj está en hora.',
    newer: 'Hay una versión nueva.',
    restart: 'Actualizar ahora',
  },

  news: {
    heading: 'De la organización',
    none: 'Ahora no hay mensajes.',
    severity: { info: 'Aviso', warning: 'Atención', emergency: 'Emergencia' },
    zones: (names) => `Para ${names}`,
    until: (time) => `Hasta: ${time}`,
    checked: 'Firmado por la organización',
    hidden: (n) =>
      count(n, {
        one: '# mensaje no se muestra: no lo ha firmado la organización de esta entrada.',
        other: '# mensajes no se muestran: no los ha firmado la organización de esta entrada.',
      }),
    noKey:
      'A tu enlace le falta una parte: los mensajes no se pueden comprobar y no se muestran. Abre otra vez el enlace entero.',
    all: 'Todos los mensajes',
  },

  occasion: {
    heading: 'Cuándo y dónde',
    begins: 'Comienzo',
    doors: 'Apertura de puertas',
    place: 'Lugar',
    entrances: 'Acceso por',
  },

  history: {
    admitted: (checkpoint, time) => `Ya estás dentro: ${checkpoint}, ${time}`,
    heading: 'Por dónde has pasado',
    none: 'Todavía nada. Aquí aparecerán las puertas por las que pases.',
    in: (checkpoint) => `Entrada: ${checkpoint}`,
    out: (checkpoint) => `Salida: ${checkpoint}`,
  },
}
