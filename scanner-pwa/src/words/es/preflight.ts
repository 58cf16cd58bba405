/** The sentences of the check before doors, in Spanish. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Antes de abrir',
  start: 'Empezar a escanear',
  startAnyway: 'Empezar de todos modos',
  ready: 'Todo listo.',
  missing: (names) => `Por resolver: ${names.join(', ')}.`,
  names: {
    camera: 'Cámara',
    storage: 'Almacenamiento',
    clock: 'Reloj',
    manifest: 'Lista de entradas',
    certificate: 'Certificado',
    sound: 'Sonido',
    'wake-lock': 'Pantalla encendida',
    link: 'Servidor',
    boxes: 'Otros servidores',
    offline: 'Uso sin red',
  },
  states: { ok: 'Listo', warn: 'Revísalo', fail: 'No está listo', checking: 'Comprobando' },
  checking: 'Comprobando.',
  playSound: 'Probar el sonido',
  heardIt: 'Lo he oído',
  tryCamera: 'Reintentar la cámara',
  camera: {
    ok: (label, width, height) => `${label || 'Cámara'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Lo has oído.',
    muted: 'El volumen de esta app está a cero.',
    remedy: 'Pruébalo y confirma que lo oyes.',
    mutedRemedy: 'Súbelo en Ajustes.',
    notPlayed: 'Aún no se ha oído.',
    none: 'Este navegador no reproduce sonidos.',
    noneRemedy: 'Mira la pantalla en cada escaneo o usa otro navegador.',
  },
  wakeLock: {
    ok: 'La pantalla sigue encendida mientras escaneas.',
    fail: 'Este móvil apaga la pantalla solo.',
    remedy: 'Pon el apagado de pantalla al máximo y quita el ahorro de batería.',
  },
  offline: {
    ok: 'Todos los archivos están en este móvil. Los escaneos sin conexión solo se envían con la app abierta.',
    checking: 'Guardando los archivos en este móvil.',
    fail: 'Aún faltan archivos en este móvil.',
    remedy: 'Deja esta página abierta un minuto en la red del servidor.',
  },
}
