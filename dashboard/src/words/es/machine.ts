/** Sentences about updates and backups of the appliance that have failed, in Spanish. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Esta actualización es para otro tipo de equipo: usa la de este servidor.',
  signed_wrongly:
    'El certificado de esta actualización no era válido cuando se firmó: pide otra a quien publica el software.',
  not_signed: 'Esta actualización no está firmada por quien hace este software: descárgala solo de ahí.',
  damaged: 'No es una actualización o está dañada: descárgala otra vez y vuelve a enviarla.',
  too_large: 'Esta actualización no cabe en su sitio del servidor: usa la de este servidor.',
  fell_back: 'La versión nueva no confirmó a tiempo que funciona, así que el servidor volvió a la anterior.',
  older:
    'Esta actualización es la versión {version} y el servidor tiene la {running}, más nueva: elige otra o instálala de todos modos.',
  own_unknown:
    'El servidor no sabe qué versión tiene, ni si esta es más antigua: graba una tarjeta nueva y restaura la última copia.',
  update_too_large: 'Este archivo es más grande que cualquier actualización: elige otro.',
  no_room: 'No queda espacio suficiente en el servidor: usa una tarjeta más grande.',
  broke_off: 'Se cortó a medias: inténtalo otra vez.',
  unanswered: 'El equipo no responde: reinícialo e inténtalo otra vez.',
  no_file: 'El archivo ya no está: elígelo otra vez.',
  no_stick: 'No se puede leer la memoria USB: sácala y vuelve a ponerla, con formato FAT32.',
  stick_full: 'No hay espacio suficiente en la memoria USB: usa otra.',
  stick_failed: 'No se pudo escribir en la memoria USB: usa otra.',
  no_other: 'En el servidor no hay ninguna versión anterior a la que volver.',
  failed: 'No ha funcionado ({detail}): inténtalo otra vez y después reinicia el servidor.',
  failed_somehow: 'No ha funcionado: inténtalo otra vez y después reinicia el servidor.',
  no_backup: 'No se pudo hacer la copia: mira el espacio libre e inténtalo otra vez.',
  update_empty: 'El archivo está vacío: elígelo otra vez.',
  not_on_stick: 'Esta actualización ya no está en la memoria USB: vuelve a ponerla.',
  stick_absent: 'No hay ninguna memoria USB en el servidor: pon una con formato FAT32.',
  other_failed: 'La otra versión no arrancó cuando se probó: instala una actualización.',
  recipient_bad:
    'El destinatario {number} no es una clave pública de age válida. Empieza por age1: cópiala otra vez con «age-keygen -y».',
  machine_unasked: 'El servidor no puede dar órdenes al equipo: reinícialo e inténtalo otra vez.',
  machine_stops: 'El servidor se está apagando: inténtalo otra vez cuando haya vuelto.',
  clock_strange: 'La fecha de este dispositivo está mal: ponlo primero en hora.',
}
