/** The sentences of the screen of the machine, in Spanish. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

export const applianceWords: typeof English = {
  title: 'Equipo',
  lead: 'La máquina en la que funciona el servidor: sus ajustes, su reloj, su software y sus copias de seguridad.',
  none: 'Este servidor no funciona en el equipo de Gatehouse. Su reloj, su software y sus copias son los de la máquina en la que está.',
  loading: 'Preguntando a la máquina…',
  again: 'Reintentar',

  settings: 'Ajustes',
  fine: 'gatehouse.toml no tiene problemas.',
  problems: (n) =>
    speech.count(n, {
      one: '# línea de gatehouse.toml no se ha usado',
      other: '# líneas de gatehouse.toml no se han usado',
    }),
  line: (n) => `Línea ${n}`,
  correct:
    'El servidor funciona sin ellas. Corrige el archivo de la tarjeta con cualquier ordenador, vuelve a poner la tarjeta y enciende.',

  machine: 'Máquina',
  facts: { room: 'Espacio libre', temperature: 'Temperatura', uptime: 'En marcha desde hace', clock: 'Reloj' },
  room: (free, total) => `${actions.import.size(free)} de ${actions.import.size(total)}`,
  roomLow: 'Pon pronto una tarjeta mayor: sin espacio no se puede escanear a nadie.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Demasiado caliente: dale aire.',
  unknown: 'La máquina no lo dice',

  time: 'Reloj',
  synced: (source) => (source === null ? 'Puesto en hora por la red.' : `Puesto en hora por la red (${source}).`),
  unsynced: 'No lo pone en hora la red. El servidor sigue contando y acepta códigos de hace hasta dos minutos.',
  boxTime: (at) => `El servidor marca: ${at}.`,
  differs: (ms) =>
    `Va ${actions.time.duration(ms)} ${ms > 0 ? 'atrasado' : 'adelantado'} respecto a este dispositivo. ¿Está este en hora?`,
  agrees: 'Este dispositivo marca lo mismo.',
  setTime: 'Poner el servidor a la hora de este dispositivo',
  timeSet: 'Reloj puesto en hora.',

  software: 'Software',
  slot: (name) => `Ranura ${name}`,
  version: (version) => (version === null ? 'vacía' : `versión ${version}`),
  running: 'en marcha',
  next: 'arranca la próxima vez',
  slotBad: 'no arrancó al probarla',
  none_known: 'La máquina no dice qué versiones tiene.',
  states: {
    uploading: (percent) =>
      percent === null ? 'Enviando la actualización' : `Enviando la actualización, ${percent} %`,
    checking: 'Comprobando que la actualización sea auténtica y para esta máquina',
    installing: (percent) => `Instalando${percent === null ? '' : `, ${percent} %`}. Se sigue escaneando.`,
    ready: (version) =>
      `${version === null ? 'Actualización instalada' : `Versión ${version} instalada`}. Arranca al reiniciar la máquina.`,
  },
  older: (version) => `Instalar la versión ${version} aunque sea más antigua`,
  failed: (reason) => `No se ha instalado la actualización. ${reason}`,
  choose: 'Archivo de actualización',
  chooseHint: 'Termina en .update, 1 GB como máximo. Mejor entre dos eventos: el envío mantiene ocupada la tarjeta.',
  notUpdate: 'Esto no es una actualización. Elige el archivo que termina en .update.',
  tooLarge: 'El archivo pasa de 1 GB: no puede ser una actualización.',
  send: 'Enviar e instalar',
  sending: 'Enviando la actualización',
  cancel: 'Cancelar',
  unanswered: 'Se perdió la conexión antes de que llegara todo el archivo. No ha cambiado nada. Envíalo otra vez.',
  cancelled: 'Cancelado. No ha cambiado nada.',
  stick: 'En la memoria USB',
  install: (name) => `Instalar ${name}`,
  restart: 'Reiniciar ahora',
  restartTitle: '¿Reiniciar la máquina?',
  restartText: 'Los escáneres trabajan sin conexión un minuto, más o menos, y después envían sus escaneos.',
  restartUpdate: 'Arranca la versión nueva. Si no funciona en tres minutos, la máquina vuelve sola a esta.',
  restarting: 'La máquina se reinicia. Esta página vuelve sola.',
  rollback: (version) => (version === null ? 'Volver atrás' : `Volver a la versión ${version}`),
  rollbackTitle: '¿Volver a la versión anterior?',
  rollbackText:
    'La máquina se reinicia con ella. Las entradas y los escaneos quedan como están. Los escáneres trabajan sin conexión un minuto, más o menos.',
  unstart: 'Descartarla',
  unstartTitle: '¿Descartar la versión nueva?',
  unstartText: 'La máquina conserva la versión actual. Para tener la nueva, vuelve a instalarla.',
  unstarted: 'Descartada. Sigue la versión actual.',

  backup: 'Copia de seguridad',
  backupLead:
    'Todo lo de este servidor, en un archivo. Contiene las claves del servidor, así que cífralo: así no le sirve a un ladrón. El servidor no guarda lo que escribas aquí.',
  protect: 'Cifrado',
  ways: { passphrase: 'Con frase de contraseña', recipients: 'Para destinatarios de age', none: 'Sin cifrar' },
  passphrase: 'Frase de contraseña',
  passphraseHint: 'Al menos 12 caracteres. Lo mejor: cinco o más palabras al azar.',
  strength: {
    short: 'Demasiado corta: al menos 12 caracteres.',
    weak: 'Débil: quien robe el archivo puede probar todo el tiempo que quiera. Añade palabras.',
    fair: 'Aceptable. Con una o dos palabras más será fuerte.',
    strong: 'Fuerte, salvo que salga de un libro o de una canción.',
  },
  passphraseAgain: 'Repite la frase',
  passphraseLost: 'Anótala y guárdala lejos del archivo. Sin ella, nadie puede restaurar esta copia.',
  recipients: 'Destinatarios',
  recipientsHint:
    'Uno por línea: age1…, la clave pública que muestra age-keygen. Quien tenga una de las claves secretas puede restaurar la copia.',
  worth:
    'Quien consiga este archivo tiene las claves del servidor: puede dejar entrar a cualquiera, hacerse pasar por él y firmar en su nombre. Puede leer nombres y correos de todos los titulares y los códigos de todas las entradas. Guárdalo tan bien como las entradas.',
  protectionMistakes: {
    short: 'No se ha hecho la copia: la frase es demasiado corta. Necesita 12 caracteres o más.',
    control: 'No se ha hecho la copia: la frase contiene un tabulador u otro carácter que algunos teclados no tienen.',
    different: 'No se ha hecho la copia: las dos frases no coinciden. Escríbelas otra vez.',
    noRecipient: 'No se ha hecho la copia: pon un destinatario (age1…) o elige una frase de contraseña.',
    notRecipient: 'No se ha hecho la copia: un destinatario empieza por age1 y va solo en su línea. Cópialo otra vez.',
    identity:
      'No se ha hecho la copia: esto es una clave secreta (AGE-SECRET-KEY). No se ha enviado nada. Usa la clave pública, que empieza por age1.',
    many: 'No se ha hecho la copia: puede tener 20 destinatarios como máximo.',
  },
  download: 'Descargar una copia',
  downloading: (size) => `Recibiendo la copia: ${size}`,
  downloaded: (name, size) => `Guardada como ${name}, ${size}.`,
  cutShort: 'La copia llegó incompleta y no se ha guardado. Descárgala otra vez.',
  toStick: 'Escribir una copia en la memoria USB',
  noStick: 'No hay memoria USB puesta. Pon una con formato FAT32.',
  hasStick: 'Hay una memoria USB puesta.',
  making: 'El servidor hace la copia. No saques la memoria.',
  copying: (percent) => `Escribiendo en la memoria${percent === null ? '' : `, ${percent} %`}. No la saques.`,
  done: (name) => `La copia está en la memoria${name === null ? '' : ` como ${name}`}. Ya puedes sacarla.`,
  backupFailed: (reason) => `No hay copia en la memoria. ${reason}`,

  power: 'Reinicio',
  powerLead:
    'Ayuda cuando una parte de la máquina no responde. Los escáneres están sin conexión un minuto, más o menos.',
}
