/** What is read before and after scanning, in Spanish: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# escaneo', other: '# escaneos' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Emparejar este móvil',
    arrived: 'Pulsa una vez y este móvil será un escáner.',
    none: 'La central muestra una invitación en un QR. Escanéalo o abre su enlace en este móvil.',
    name: 'Nombre de este móvil',
    nameHint: 'Lo ve la central. Por ejemplo: «Puerta Norte 2».',
    guess: (platform) => (platform === '' ? 'Móvil' : `Móvil ${platform}`),
    pair: 'Emparejar este móvil',
    pairing: 'Emparejando',
    scan: 'Escanear la invitación',
    stopCamera: 'Parar la cámara',
    paste: 'Pegar el enlace de la invitación',
    use: 'Usar esta invitación',
    noInvite: 'La invitación no está entera. Es un enlace que empieza por https:// y contiene #i=.',
    another: 'Usar otra invitación',
    already: (name) => `Este móvil ya está emparejado como «${name}». Para repetirlo, desemparéjalo antes.`,
    keep: 'Dejarlo como está',
  },

  checkpoint: {
    title: '¿En qué punto de control estás?',
    operator: 'Tu nombre',
    operatorHint: 'Opcional. Se guarda con tus escaneos en este móvil y aparece en el relevo.',
    in: 'Entrada',
    out: 'Salida',
    none: 'Este móvil no tiene punto de control. Pide otra invitación a la central.',
  },

  recent: {
    title: 'Últimos escaneos',
    lead: 'Los 50 últimos de este móvil.',
    none: 'Aún no hay escaneos.',
    alone: 'sin conexión',
    sent: 'enviado',
    unsent: 'sin enviar',
    confirmed: 'confirmado',
    supervised: 'admitido por supervisor',
    undone: 'deshecho',
    double: 'usada dos veces',
    ago: (age) => `hace ${age}`,
    past: 'Escaneo anterior',
  },

  doubles: {
    title: 'Usadas dos veces',
    lead: 'Las dejaste pasar sin conexión y también se usaron en otro sitio. No se saca a nadie: la central tiene los dos registros.',
    none: 'Ninguna.',
    yours: 'Aquí, con este móvil',
    other: 'En otro sitio',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'La central tiene el otro registro.',
    dismiss: 'Entendido',
    aside: 'Rechazados por el servidor',
    asideLead: 'Avisa a la central: el servidor no los tiene registrados.',
  },

  shift: {
    title: 'Este turno',
    since: (ms) => `Desde las ${clock(ms)}`,
    operator: 'Identificado como',
    signOn: 'Identificarse',
    signOff: 'Salir',
    name: 'Tu nombre',
    counts: 'Escaneos',
    total: (n) => `${scans(n)} en total`,
    also: 'Además',
    alone: 'Decididos sin conexión',
    supervised: 'Admitidos por supervisor',
    undone: 'Deshechos',
    doubles: 'Usadas dos veces',
    unsent: 'Sin enviar',
    aside: 'Rechazados por el servidor',
    handOver: 'Relevo',
    handOverTitle: '¿Pasar este móvil a otra persona?',
    handOverText:
      'Los recuentos empiezan de cero y se cierra tu sesión. Lo que falta por enviar sigue en el móvil hasta que se envíe.',
    handOverUnsent: (n) => `${scans(n)} sin enviar. Lleva el móvil a la red antes de apagarlo.`,
    handOverConfirm: 'Hacer el relevo',
    handedOver: 'Relevo hecho',
    copy: 'Copiar',
    copied: 'Copiado',
    done: 'Listo',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint}: ${summary.operator ?? 'sin nombre'}, ${clock(summary.since)}–${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${n}`),
        `Decididos sin conexión: ${summary.alone}`,
        `Admitidos por supervisor: ${summary.supervised}`,
        `Deshechos: ${summary.undone}`,
        `Usadas dos veces: ${summary.doubles}`,
        summary.unsent === 0 ? 'Todo enviado.' : `Sin enviar: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Rechazados por el servidor: ${summary.aside}`]),
      ].join('\n'),
  },

  settings: {
    title: 'Ajustes',
    licences: 'Licencias de esta app',
    theme: 'Claro u oscuro',
    language: 'Idioma',
    themes: { auto: 'Como el móvil', light: 'Claro', dark: 'Oscuro' },
    volume: 'Volumen de los avisos',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Probar los sonidos',
    vibration: 'Vibrar',
    camera: 'Cámara',
    preflight: 'Comprobar antes de abrir',
    checkpoint: 'Cambiar punto de control',
    phone: 'Este móvil',
    name: 'Nombre',
    event: 'Evento',
    box: 'Servidor',
    certificate: 'El certificado caduca',
    version: 'Versión',
    supervisor: 'Supervisor',
    yes: 'Sí',
    no: 'No',
    newer: 'Hay una versión nueva.',
    restart: 'Reiniciar ahora',
    unpair: 'Desemparejar este móvil',
    unpairTitle: '¿Desemparejar este móvil?',
    unpairText: 'Se borran su clave y la lista de entradas. Para volver a escanear hará falta otra invitación.',
    unpairUnsent: (n) => `Se perderán ${scans(n)} sin enviar: el servidor nunca sabrá quién pasó.`,
    unpairConfirm: 'Desemparejar',
    unpairForce: (n) => `Desemparejar y perder ${scans(n)}`,
  },

  ended: { title: 'Este móvil ya no puede escanear', pairAgain: 'Desemparejar y volver a emparejar' },
}
