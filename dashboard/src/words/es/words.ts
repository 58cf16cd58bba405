/** Every sentence that a person reads in the shell and on the live screens, in Spanish. */
import type { words as English } from '../en/words.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse Central',

  screens: titles,

  session: {
    heading: 'Central',
    intro: 'Escribe el token de administración de este servidor. Se guarda hasta que cierres esta pestaña.',
    label: 'Token de administración',
    where:
      'El servidor lo muestra al arrancar por primera vez y lo guarda en el archivo admin-token de su carpeta de datos. En el equipo de Gatehouse, pon show_admin_token = true en gatehouse.toml: tras el siguiente arranque está en admin-token.txt, en la tarjeta.',
    submit: 'Abrir',
    checking: 'Preguntando al servidor…',
    noToken: 'Eso no es un token: copia entera la línea que mostró el servidor.',
    wrongToken: 'No es el token de este servidor. Copia el del archivo admin-token.',
    tokenRefused: 'El servidor ya no acepta tu token. Escribe el actual.',
    unreachable: 'El servidor no responde. Comprueba que esté en marcha y que este dispositivo esté en su red.',
    strange: (status) => `Esta página no entiende la respuesta del servidor (HTTP ${status}). Vuelve a cargarla.`,
    unexpected: 'Algo ha fallado en esta página. Vuelve a cargarla: en el servidor no se pierde nada.',
    signOut: 'Salir',
    person: {
      intro: 'Entra con tu nombre. Todo lo que hagas queda registrado con él.',
      name: 'Nombre',
      secret: 'PIN o contraseña',
      submit: 'Entrar',
      known: 'Personas de este dispositivo',
      forget: 'Olvidar estos nombres',
      withName: 'Entrar con nombre y PIN',
      withToken: 'Usar el token de administración',
      locked: 'Esta pantalla se ha bloqueado tras diez minutos sin uso. Vuelve a entrar.',
    },
    actor: {
      title: '¿Quién eres?',
      text: 'Cada acción se registra con este nombre.',
      label: 'Tu nombre',
      submit: 'Soy yo',
      empty: 'Escribe antes tu nombre.',
      unknown: '¿Quién eres?',
      change: (name) => `Eres ${name}. Cambiar`,
    },
  },

  shell: {
    skip: 'Ir al contenido',
    navigation: 'Pantallas',
    more: 'Más',
    loading: 'Cargando…',
    failed: 'No se ha podido cargar esta pantalla. Comprueba que el servidor esté en marcha.',
    again: 'Reintentar',
    newer: 'Hay una versión nueva de esta página.',
    restart: 'Cargarla ahora',
    connecting: 'Conectando…',
    live: 'En directo',
    old: (age) => `Hace ${age}`,
    retry: (seconds) => `nuevo intento en ${seconds} s`,
    staleTitle: (age) => `Estas cifras son de hace ${age}.`,
    staleText:
      'El servidor no responde. Hasta que lo haga, nada de esto es en directo. Las puertas siguen funcionando.',
    staleSpoken: 'Las cifras son antiguas: el servidor no responde.',
    unreadable: 'Esta página es demasiado antigua para el servidor. Vuelve a cargarla.',
    glassTitle: 'Alguien ha usado el token de administración.',
    glassText: (age, address) =>
      `Hace ${age}, desde ${address}. Si no ha sido nadie del equipo, cámbialo en la pantalla Personal.`,
    glassLog: 'Abrir el historial',
    glassSeen: 'Visto',
    emergencies: 'Emergencias',
    emergencyAt: (kind, gate) => `${kind} en ${gate}`,
    moreEmergencies: (more) => `y ${more} más`,
    nobody: 'aún sin respuesta',
    sealTitle: 'El registro ha dejado de sellarse.',
    sealText: 'Deja los datos como están y verifica el registro.',
    soundBlocked: 'El navegador bloquea el sonido de alarma.',
    allowSound: 'Permitir sonido',
    waiting: (n) => `${n} en espera`,
    sound: {
      on: 'El sonido de alarma está activado. Desactivar',
      off: 'El sonido de alarma está desactivado. Activar',
      blocked: 'El navegador bloquea el sonido de alarma. Permitir',
    },
    mode: {
      change: (mode) => `Modo ${mode}. Cambiar`,
      why: (mode, reason, age) => `Modo ${mode} desde hace ${age}: ${reason} Cambiar`,
      cutOff: 'Sin saber de otras puertas',
      degradedFor: (age) => `DEGRADED desde hace ${age}.`,
      goesOn: 'Las puertas siguen funcionando; los usos dobles pasan después a casos.',
      boxes: 'Ver los servidores',
    },
  },

  widgets: {
    close: 'Cerrar',
    closeNotice: 'Cerrar este aviso',
    cancel: 'Cancelar',
    reason: 'Motivo',
    recordedAs: (name) => `Se registra como ${name}.`,
  },

  incidentKinds: {
    crush: 'Avalancha',
    medical: 'Caso médico',
    fire: 'Incendio',
    need_staff: 'Falta personal',
    security: 'Seguridad',
    lost_child: 'Niño perdido',
    access: 'Silla de ruedas',
    equipment: 'Material',
  },

  incidentStates: {
    open: 'Sin respuesta',
    acknowledged: 'Visto',
    assigned: 'Equipo enviado',
    resolved: 'Resuelto',
    cancelled: 'Falsa alarma',
  },

  sealRefusal: {
    entries_changed: 'Se han cambiado anotaciones ya selladas.',
    entries_missing: 'Faltan anotaciones ya selladas.',
    seal_changed: 'Se ha cambiado el último sello.',
    seal_missing: 'Falta un sello.',
  },
}
