/** Texts of the screen Before doors, in Spanish. */
import type { readyWords as English } from '../en/ready.ts'
import { speech } from './speech.ts'

const { count } = speech

const left = () => ''
const scanners = (n: number) => count(n, { one: '# escáner', other: '# escáneres' })

export const readyWords: typeof English = {
  lead: 'Lo que debe estar en orden antes de que llegue la gente, y una hoja para cada puerta.',
  list: '¿Todo listo?',
  standing: { ok: 'En orden', warn: 'Pendiente', ask: 'Pregunta' },
  remedy: (name) => `Abrir: ${name}`,
  byAdmin: 'Pídeselo a un administrador.',
  whatIsLeft: 'Lo que falta antes de abrir',
  checks: {
    certificate: {
      name: 'Certificado',
      ok: () => 'Este dispositivo confía en el servidor.',
      warn: () =>
        'Este dispositivo no confía en el servidor: así ninguna app se abre sin conexión. Instala el certificado.',
      ask: () => 'Este navegador no dice si confía en el servidor.',
    },
    publicName: {
      name: 'Nombre público',
      ok: () => 'El certificado del nombre público vale hasta después del evento.',
      warn: () =>
        'El certificado del nombre público falta, va con retraso, está dañado o caduca antes de que acabe el evento: las puertas abren igualmente, pero los navegadores avisarán.',
      ask: left,
    },
    clock: {
      name: 'Reloj',
      ok: () => 'El reloj del servidor está en hora.',
      warn: () => 'Nada pone en hora el servidor: compáralo con un reloj y deja que el equipo tome la hora de la red.',
      ask: left,
    },
    tickets: {
      name: 'Entradas',
      ok: (n) => count(n, { one: '# entrada importada.', other: '# entradas importadas.' }),
      warn: () => 'Aún no hay entradas: importa el archivo de tu tienda.',
      ask: left,
    },
    scanners: {
      name: 'Escáneres',
      ok: (n) => count(n, { one: '# escáner conectado.', other: '# escáneres conectados.' }),
      warn: (n) => `${scanners(n)} con conexión, menos que puertas: empareja los que faltan y abre la app en cada uno.`,
      ask: left,
    },
    battery: {
      name: 'Baterías y relojes',
      ok: () => 'Todos los escáneres tienen batería y están en hora.',
      warn: (n) => `${scanners(n)} sin batería o con la hora mal.`,
      ask: left,
    },
    map: {
      name: 'Mapa',
      ok: () => 'El mapa está.',
      warn: (n) =>
        `${count(n, { one: '# puerta no está', other: '# puertas no están' })} en el mapa: nadie ve el camino hasta allí. Corrígelo en la pantalla Evento.`,
      ask: () =>
        '¿Quieres que la gente vea el camino? Entonces dibuja o importa un mapa en la pantalla Evento. Las puertas funcionan sin él.',
    },
    backup: {
      name: 'Copia de seguridad',
      ok: (n) =>
        n === 0
          ? 'Hay una copia de la última hora.'
          : count(n, { one: 'Hay una copia de hace # hora.', other: 'Hay una copia de hace # horas.' }),
      warn: () => 'Ninguna copia en las últimas 24 horas: haz una y guárdala en otro sitio.',
      ask: left,
    },
    stick: {
      name: 'Memoria USB',
      ok: () => 'Hay una memoria puesta.',
      warn: () => 'No hay memoria puesta: las copias no tienen dónde ir.',
      ask: left,
    },
    paper: {
      name: 'Listas en papel',
      ok: () => 'Hay una lista impresa para cada puerta.',
      warn: (n) =>
        `${count(n, { one: '# lista impresa', other: '# listas impresas' })}: imprime una para cada puerta, por si nada funciona.`,
      ask: left,
    },
    links: {
      name: 'Enlaces de las entradas',
      ok: left,
      warn: left,
      ask: () =>
        '¿Los asistentes muestran la entrada en el móvil? Entonces cada uno necesita un enlace; los códigos de la tienda valen sin él. Este comando escribe todos los enlaces en un archivo (dónde se teclea: box/docs/attendees.md, «Links»):',
    },
    rehearsal: {
      name: 'Ensayo',
      ok: () => 'Hubo un ensayo en los últimos siete días.',
      warn: () => 'Todavía no hay ensayo: escanea abajo entradas reales con los móviles reales.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Ensayo',
    lead: 'Móviles reales escanean entradas reales y no se cuenta a nadie. El registro solo dice que tuvo lugar.',
    steps: [
      'Inícialo. En 10 segundos, cada móvil emparejado muestra «Ensayo».',
      'Escanea algunas entradas, una de ellas dos veces y otra en la puerta equivocada.',
      'Corta la red de un móvil y sigue escaneando: decide solo.',
      'Termínalo aquí. A partir de entonces, cada escaneo cuenta.',
    ],
    start: 'Iniciar un ensayo',
    startAnyway: 'Ninguna puerta está abierta: iniciar',
    text: 'Los escáneres de este servidor ensayan: no se cuenta a quien dejan pasar. El ensayo termina solo cuando empieza el evento.',
    objections: {
      event_on: 'El evento ha empezado.',
      people_came: 'Ha entrado gente en los últimos 30 minutos.',
    },
    anyway: 'Quien entra durante un ensayo falta en todas las cifras. Inícialo solo si no hay ninguna puerta abierta.',
    length: 'Duración',
    started: 'El ensayo está en curso.',
    end: 'Terminar el ensayo',
    ended: (scans, scanners) =>
      `Ensayo terminado: ${speech.count(scans, { one: '# código probado', other: '# códigos probados' })} con ${speech.count(scanners, { one: '# escáner', other: '# escáneres' })}. Desde ahora, cada escaneo cuenta.`,
    until: 'Termina solo a las',
    scanners: 'Escáneres que participan',
    scans: 'Códigos probados',
    meanwhile: 'Accesos reales mientras tanto',
    byAdmin: 'Un administrador puede iniciarlo.',
    band: (actor) => `Ensayo iniciado por ${actor}: los escáneres no cuentan a nadie.`,
    left: (time) => `Termina en ${time}.`,
    real: (n) => `Accesos reales mientras tanto: ${n}, por escáneres que no participan.`,
  },
  sheets: {
    title: 'Hojas para las puertas',
    lead: 'Una página para cada puerta, con un código por móvil. Quien tenga la hoja puede emparejar un móvil: guárdala como una llave.',
    phones: 'Móviles en cada puerta',
    make: 'Crear las hojas',
    print: 'Imprimir',
    leave:
      'Imprímalas antes de salir de esta pantalla: no las conserva. Las hojas creadas antes siguen siendo válidas.',
    paper: 'Las hojas como saldrán en papel',
    heading: (gate) => `Escáner para ${gate}`,
    until: (at) => `Válida hasta: ${at}. Cada código empareja un móvil.`,
    network: (host) => `Conecta el móvil a la red del servidor (${host}).`,
    trust:
      '¿No aparece el botón Emparejar? Entonces el móvil aún no confía en el servidor, y la página muestra los pasos con imágenes. En resumen:',
    fingerprint: 'El móvil muestra la huella (SHA-256) del certificado que instala. Tiene que ser esta:',
    iphone:
      'iPhone: descárgalo en Safari y permite el perfil. Ajustes, Perfil descargado, Instalar. Después General, Información, Ajustes de confianza de los certificados: actívalo.',
    android:
      'Android: pon un bloqueo de pantalla. Ajustes, Seguridad, Cifrado y credenciales, Instalar un certificado, Certificado de CA, y elige el archivo.',
    scan: 'Abre la cámara, apunta a un código que nadie haya usado, abre el enlace y pulsa Emparejar.',
    phone: (n) => `Móvil ${n}`,
    label: (gate, n) => `Invitación para ${gate}, móvil ${n}`,
    fails: 'Si falla',
    failing: [
      'La página no se abre: el móvil está en otra red o usa datos móviles. Desactiva los datos.',
      'El navegador avisa de un riesgo: el móvil aún no confía en el servidor. Escanea otra vez el código y sigue los pasos de la página.',
      '«Esta invitación ya se ha usado»: usa el código siguiente o pide otra hoja a la central.',
      'La cámara se ve negra: permite la cámara para esta página en los ajustes del navegador.',
      'Nada funciona: escanea con otro móvil y deja pasar con la lista en papel.',
    ],
  },
}
