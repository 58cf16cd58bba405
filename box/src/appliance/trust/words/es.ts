import type { TrustWords } from './en.ts'

export const es: TrustWords = {
  title: (event) => `Confiar en el servidor · ${event}`,
  heading: '¿Confía este dispositivo en el servidor?',
  lead: 'Podrá escanear en cuanto conozca el certificado de este servidor. Son dos minutos, una vez por dispositivo.',
  states: {
    looking: 'Comprobando…',
    yes: 'Sí. Este dispositivo confía en el servidor.',
    no: 'Todavía no. Empieza por el paso 1.',
    half: 'Todavía no. El certificado se descargó aquí: falta algún paso después del primero.',
    away: 'El servidor no responde. ¿Está el dispositivo en la red del servidor? Desactiva los datos móviles.',
    elsewhere: 'Esta invitación es de otro servidor. Pide otra a la central.',
  },
  again: 'Comprobar otra vez',
  on: 'Continuar',
  which: '¿Qué dispositivo es este?',
  download: 'Descargar el certificado',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Toca el botón en Safari y después «Permitir».', title: 'Safari', mark: 'Permitir' },
        {
          text: 'Abre Ajustes, toca «Perfil descargado» y después «Instalar».',
          title: 'Ajustes',
          mark: 'Perfil descargado',
        },
        {
          text: 'Después General, Información y, al final, «Ajustes de confianza de los certificados»: actívalo. Sin este paso no cambia nada.',
          title: 'Ajustes de confianza de los certificados',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Pon un bloqueo de pantalla si no lo hay. Después toca el botón.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Ajustes, Seguridad, «Cifrado y credenciales», «Instalar un certificado», «Certificado de CA». ¿No está? Busca «certificado de CA» en los ajustes.',
          title: 'Instalar un certificado',
          mark: 'Certificado de CA',
        },
        { text: 'Acepta el aviso y elige el archivo.', title: 'Descargas', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox en Android',
      steps: [
        {
          text: 'Firefox no usa por sí solo los certificados del móvil. Escanea otra vez el código y abre el enlace en Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Otro dispositivo',
      steps: [
        { text: 'Pulsa el botón.' },
        {
          text: 'Windows: abre el archivo, «Instalar certificado», «Equipo local», «Entidades de certificación raíz de confianza». Mac: abre el archivo y, en Acceso a Llaveros, elige «Confiar siempre».',
        },
        {
          text: 'Firefox y Linux: busca «certificados» en los ajustes del navegador, después Autoridades, Importar, y confía en él para sitios web. Reinicia el navegador.',
        },
      ],
    },
  },
  back: 'Vuelve a esta página: lo comprueba sola.',
  compare: {
    title: '¿Es el certificado correcto?',
    text: 'Alguien en esta red podría haber cambiado esta página. El dispositivo muestra la huella (SHA-256) en los detalles del certificado: tiene que ser la de la hoja impresa, o la de la central, en Ajustes. Esta página dice:',
  },
  noScript:
    'Sin JavaScript esta página no puede comprobarlo. Sigue los pasos de tu dispositivo y abre otra vez la invitación.',
}
