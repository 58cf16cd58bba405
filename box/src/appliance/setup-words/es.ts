/** The texts of the setup page, in Spanish. */
import type { SetupWords } from './en.ts'

export const es: SetupWords = {
  title: (event) => `${event} · Servidor Gatehouse`,
  lead: 'Este es un servidor de Gatehouse. Comprueba las entradas en la puerta.',
  apps: 'Adónde ir',
  dashboard: { name: 'Central', what: 'Para quien dirige el evento: cifras, invitaciones, entradas, este equipo' },
  scanner: { name: 'Escáner', what: 'Para el personal de las puertas; se abre con una invitación' },
  wallet: { name: 'Entradas', what: 'Para el público, con el enlace que ha recibido' },
  warning:
    'Si el navegador avisa de un certificado desconocido: este servidor ha creado el suyo y este dispositivo aún no lo conoce. El apartado siguiente explica qué hacer.',
  trust: 'Que este dispositivo confíe en el servidor',
  check: 'Comprobar si ya confía, con los pasos en imágenes',
  certificate: 'Descargar el certificado (ca.crt)',
  compare:
    'Solo vale para este evento y para direcciones locales. Alguien en esta red podría haber cambiado esta página: compara la huella con la que muestra la central en Ajustes, o con la que el servidor mostró al arrancar.',
  systems: [
    [
      'iPhone y iPad',
      'Descárgalo en Safari y permite el perfil. Abre Ajustes, toca «Perfil descargado» y después «Instalar». Ve luego a General, Información, «Ajustes de confianza de los certificados» y actívalo: sin este segundo paso no cambia nada.',
    ],
    [
      'Android',
      'Configura un bloqueo de pantalla. Descárgalo, abre Ajustes, Seguridad, «Cifrado y credenciales», «Instalar un certificado», «Certificado de CA», acepta la advertencia y elige el archivo. Chrome confiará en él; Firefox, por sí solo, no.',
    ],
    [
      'Windows',
      'Abre el archivo, elige «Instalar certificado», «Equipo local», «Colocar todos los certificados en el siguiente almacén» y «Entidades de certificación raíz de confianza». Reinicia el navegador.',
    ],
    [
      'Mac',
      'Abre el archivo: pasa a Acceso a Llaveros. Búscalo en Certificados, ábrelo y, en Confiar, elige «Confiar siempre».',
    ],
    [
      'Linux, y Firefox en cualquier sistema',
      'En los ajustes del navegador busca Certificados, Autoridades, Importar: elige el archivo y confía en él para sitios web.',
    ],
  ],
  box: 'Este servidor',
  boxId: 'Nombre',
  time: 'Reloj',
  times: {
    synced: 'puesto en hora por la red',
    unsynced: 'no está puesto en hora por la red: ajústalo en la central o compáralo con un reloj',
  },
  addresses: 'Direcciones',
  qr: (url) => `Abre ${url}`,
  problems: (n) => (n === 1 ? 'No se ha usado un ajuste' : `No se han usado ${n} ajustes`),
  line: 'Línea',
  problemsLead:
    'El servidor funciona. Corrige gatehouse.toml en su tarjeta con cualquier ordenador, vuelve a poner la tarjeta y enciende el servidor.',
}
