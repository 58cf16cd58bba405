/** The sentences of the scanner's core, in Spanish. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords: typeof English = {
  invite: {
    notOne: 'No es una invitación de Gatehouse. Escanea el QR de la central o copia el enlace entero.',
    elsewhere: (address) =>
      `Esta invitación es de otro servidor. Abre ${address} en este móvil y vuelve a escanearla allí.`,
    otherBox:
      'Esta invitación es de otro evento. Comprueba que el móvil esté en la red correcta. No lo emparejes aquí.',
    expired: 'Esta invitación ha caducado. Pide otra a la central.',
    unreachable: 'El servidor no responde. Conéctate a su red y vuelve a intentarlo.',
    paired: 'Este móvil ya está emparejado. Desemparéjalo antes.',
    noKeys:
      'Este navegador no puede guardar la clave de un escáner. Abre la invitación en otro navegador y no en una ventana privada.',
  },
  nameMissing: 'Pon a este móvil un nombre que la central reconozca.',
  otherTab: 'El escáner está abierto en otra pestaña o ventana. Ciérrala y vuelve a intentarlo.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: 'Falta por enviar # acceso', other: 'Faltan por enviar # accesos' })} al servidor. Lleva antes el móvil a su red.`,
  noCheckpoint: 'Elige antes tu punto de control.',
  waitingUnreachable: 'No enviado: el servidor no responde. Prueba más tarde o usa la radio.',
  reportUnreachable: 'No enviado: el servidor no responde. Usa la radio.',
  notPaired: 'Este móvil no está emparejado. Abre antes una invitación.',
  ended: {
    device_revoked: 'Este escáner está dado de baja. Llévalo a la central.',
    other: 'El servidor ya no conoce este escáner. Pide otra invitación a la central y vuelve a emparejarlo.',
    certificate:
      'El certificado de este escáner ha caducado. Pide otra invitación a la central y vuelve a emparejarlo.',
  },
  offline: {
    noList:
      'Este móvil no tiene la lista de entradas y el servidor no responde. Usa otro escáner o lleva este a la red.',
    otherEvent: 'La lista de este móvil es de otro evento. Usa otro escáner y vuelve a emparejar este.',
    used: 'Ya usada; sin conexión no se sabe dónde ni cuándo. Envía a taquilla.',
    elsewhere: 'No es para esta puerta. Pregunta a la central adónde enviar esta entrada.',
    everyGateHeld: 'acceso cortado en todas las puertas de esta entrada, que este móvil sepa',
    notValid: 'Ya no vale: anulada, sin pagar o pasada a otro móvil. Envía a taquilla.',
    diskFull:
      'Este móvil está lleno y no puede registrar accesos. No dejes pasar a nadie con él: libera espacio o usa otro.',
  },
  noCode: 'No es una entrada. Prueba otra vez el código y, si no, envía a taquilla.',
  details: {
    gone: 'Ya no está abierta en este móvil. Escanea otra vez la entrada.',
    unreachable: 'Hace falta el servidor y no responde. Reinténtalo cuando vuelva.',
    wrong: (question, problem = 'Responde otra vez.') => `«${question}»: ${problem}`,
    nobody: 'Nadie más de este pedido puede entrar aquí ahora. Escanea sus entradas para ver por qué.',
  },
  lookUp: {
    unreachable: 'Para buscar hace falta el servidor y no responde. Reinténtalo cuando vuelva o envía a taquilla.',
    who: 'Identifícate antes en Turno: cada búsqueda se registra con un nombre.',
  },
  overrides: {
    unreachable: 'Hace falta el servidor y no responde. Reinténtalo cuando vuelva.',
    unsent: 'El servidor aún no tiene este escaneo. Espera a que se envíe y reinténtalo.',
    scanner: 'el escáner',
    tooLate: 'La respuesta llegó tarde. Esta persona no pasó.',
    who: 'Identifícate antes en Turno: se registra quién lo decidió.',
  },
  preflight: {
    clock: {
      unknown: 'aún sin comparar con el servidor',
      off: (ms) => `${duration(Math.abs(ms))} ${ms > 0 ? 'atrasado' : 'adelantado'} respecto al servidor`,
      fine: 'coincide con el servidor',
      remedy: 'Pon la fecha y la hora de este móvil en automático.',
      measure: 'Conéctate a la red del servidor para comparar los relojes.',
    },
    manifest: {
      none: 'sin lista de entradas',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# entrada', other: '# entradas' })}, versión ${version}, ${ageMs < 60_000 ? 'al día' : `de hace ${duration(ageMs)}`}`,
      remedy: 'Quédate en la red del servidor hasta que la lista esté al día.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `caduca en ${duration(ms)}` : 'caducado'),
      remedy: 'Pide otra invitación a la central y vuelve a emparejarlo.',
    },
    storage: {
      asking: 'este navegador te pregunta si puede conservar los datos',
      kept: 'este móvil conserva lo que guarda',
      notKept:
        'este móvil puede borrar escaneos sin enviar: si falta espacio, en una ventana privada o tras una semana sin uso',
      unknown: 'este navegador no dice si conserva los escaneos sin enviar',
      small: (mb) =>
        `este navegador solo da ${mb} MB a la app, como una ventana privada: puede que no quepan los escaneos sin enviar`,
      smallRemedy: 'Abre la app en una ventana normal o libera espacio en este móvil.',
      remedy: 'Añade esta app a la pantalla de inicio y ábrela desde allí.',
    },
    boxes: {
      ready: (names) => `si falla este servidor, este móvil usa ${names}`,
      silent: (names) => `sin respuesta de ${names}`,
      silentRemedy: (address) =>
        `Abre ${address} una vez en este navegador y acéptalo, como hiciste con el primer servidor. Si no abre, avisa a la central.`,
      later: (names) => `después de abrir esta app se añadió ${names}`,
      laterRemedy: 'Reinicia esta app en Ajustes para poder usarlo.',
    },
    link: {
      reachable: 'el servidor responde',
      offline: 'el servidor no responde',
      remedy: 'Conéctate a la red del servidor.',
    },
  },
}
