/** Sentences for the codes that the box sends, in Spanish. */
import { settingWords } from '@gatehouse/proto/setting-words/es.ts'
import type { BoxWords } from '../said.ts'
import { actRefusalWords } from './act-refusals.ts'
import { certificateWords } from './certificate.ts'
import { evacuationSheetWords } from './evacuation-sheet.ts'
import { eventFileWords } from './event-file.ts'
import { guestListWords } from './guest-list.ts'
import { guideRefusalWords } from './guide-refusals.ts'
import { linkWords } from './link.ts'
import { machineWords } from './machine.ts'
import { mappingWords } from './mapping.ts'
import { paperListWords } from './paper-list.ts'
import { pretixWords } from './pretix.ts'
import { staffRefusalWords } from './staff-refusals.ts'
import { ticketFileWords } from './ticket-file.ts'
import { venueWords } from './venue.ts'

export const boxWords: BoxWords = {
  mode: {
    in_contact: 'Los servidores están en contacto.',
    forced: 'La central lo ha forzado.',
    votes_unreachable: 'La mayoría de los servidores que deciden no responde.',
    authority_unknown: 'Puede que ahora decida otro servidor.',
    voters_unsynced: 'Los servidores que deciden no confirman que guardan antes de responder.',
    backfilling: 'Los servidores que deciden están recibiendo la lista de quienes están dentro.',
    confirming: {
      one: '# acceso se está confirmando con los otros servidores.',
      other: '# accesos se están confirmando con los otros servidores.',
    },
    arriving: 'Aún están llegando datos de los otros servidores.',
    settling: 'Los servidores vuelven a estar en contacto. Este espera diez segundos para asegurarse.',
    refused: 'Este servidor no puede usar lo que envía {name}.',
    refused_more: { one: 'Lo mismo pasa con # servidor más.', other: 'Lo mismo pasa con # servidores más.' },
    silent: '{name}: sin contacto desde hace {for_ms}.',
    silent_since_start: '{name}: sin contacto desde que arrancó este servidor.',
    silent_more: { one: 'Otro servidor está sin contacto.', other: 'Otros # servidores están sin contacto.' },
    no_server:
      'En este servidor no funciona ningún nats-server: instala el paquete nats-server o define GATEHOUSE_NATS_SERVER.',
    server_fails: 'El nats-server de este servidor no arranca.',
  },
  peer: {
    not_signed:
      'Sus mensajes no están firmados. Si tiene una versión anterior, actualízalo. Si no, otro equipo usa su nombre.',
    stranger: 'Un equipo que no está en la lista de servidores responde en su lugar: averigua cuál.',
    forged: 'Otro equipo responde en su lugar: averigua cuál.',
    other_key:
      'Sus mensajes están cifrados para otra lista de servidores. Se podrán leer cuando ambos tengan la misma lista.',
    misshapen: 'Este servidor no puede leer lo que envía. Si las versiones son distintas, actualiza la más antigua.',
    history_changed: 'Ha cambiado anotaciones que ya había enviado: conserva sus datos y verifica su registro.',
    not_applied: 'Sus anotaciones no se pueden procesar aquí. El motivo está en el archivo de log de este servidor.',
    copy_refused: 'Se rechaza la copia de su registro que tiene {name}.',
    seal_unsigned: 'Su sello no está firmado con su clave.',
    seal_differs: {
      one: 'Su sello de # anotación no coincide con lo que envió.',
      other: 'Su sello de # anotaciones no coincide con lo que envió.',
    },
    two_seals: {
      one: 'Ha firmado dos sellos distintos de # anotación.',
      other: 'Ha firmado dos sellos distintos de # anotaciones.',
    },
    other_event: 'Tiene otro archivo del evento: da el mismo a los dos y reinicia el que tenga el más antiguo.',
  },
  boxes: {
    box_alone: 'Este servidor está solo: no hay ningún otro.',
    box_unlisted: 'El servidor {name} ya no está en la lista: mírala otra vez.',
    last_box: 'No se puede quitar el último servidor de un evento.',
    box_outdated: '{name} tiene una versión antigua que no cifra nada: actualízalo primero.',
    votes_already: '{name} ya decide.',
    in_data_centre: '{name} está en un centro de datos: los servidores que deciden tienen que estar en el recinto.',
    no_vote: '{name} no decide: no hay nada que sustituir.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Retirado en la puerta.',
  },
  event: eventFileWords,
  map: venueWords,
  pretix: pretixWords,
  mapping: mappingWords,
  machine: machineWords,
  certificate: certificateWords,
  link: linkWords,
  paper: paperListWords,
  evacuation: evacuationSheetWords,
  guide: guideRefusalWords,
  setting: settingWords,
  file: ticketFileWords,
  sale: guestListWords,
  import: {
    code_missing: 'La fila no tiene código: ponlo o borra la fila.',
    code_rounded: 'Una hoja de cálculo redondeó el código (1.2E+15): usa el archivo tal como lo exporta la tienda.',
    code_error:
      'Una hoja de cálculo cambió el código por un error o por ####: usa el archivo tal como lo exporta la tienda.',
    code_decimals: 'El código acaba en decimales (123.0): expórtalo como texto.',
    code_is_date: 'Una hoja de cálculo convirtió el código en una fecha: usa el archivo tal como lo exporta la tienda.',
    code_apostrophe:
      'El código empieza con un apóstrofo de una hoja de cálculo: quítalo o exporta el código como texto.',
    code_rotating: 'Este código cambia cada pocos segundos (G1:): importa el código que imprimió la tienda.',
    code_lost_characters:
      'Al guardar el archivo se perdieron caracteres del código: expórtalo otra vez como CSV UTF-8.',
    code_invisible: 'El código contiene un carácter invisible: quítalo.',
    code_too_long: 'El código pasa de {bytes} bytes, demasiado para escanearlo: revisa la columna.',
    code_formula: 'El código estaba escrito como fórmula (="...") y se leyó sin ella.',
    code_blanks: 'Se quitaron los espacios alrededor del código.',
    code_scanner_marks: 'Se quitó lo que un lector añade a un código (]Q1, caracteres de control).',
    code_twice: 'La fila {row} tiene el mismo código: borra una de las dos.',
    digits_rounded:
      'Todos los códigos largos acaban en ceros, redondeados por una hoja de cálculo: usa el archivo tal como lo exporta la tienda.',
    digits_short: 'El código es más corto que los demás y ninguno empieza por 0: compáralo con una entrada impresa.',
    tier_missing: 'La fila no dice el tipo de entrada: pon uno de {tiers}.',
    no_tier: '«{name}» no corresponde a ningún tipo de entrada.',
    date_unreadable: '{column} «{text}» no es una fecha: escribe 2026-07-04 o 2026-07-04 18:00.',
    dates_swapped: 'valid_until es anterior a valid_from: corrige uno de los dos.',
    not_a_date: '{column} no es una fecha.',
    status_unknown: 'El estado «{status}» no existe: usa uno de {known}.',
    order_status_unknown: 'El pedido tiene un estado desconocido («{status}»): descárgalo otra vez.',
    quantity:
      'La cantidad es «{quantity}», pero un código deja entrar a una persona: exporta una lista con una fila por persona.',
    row_cut_off: 'El archivo acaba en medio de esta fila: descárgalo otra vez.',
    cells_many: 'La fila tiene {cells} celdas y la cabecera {header}: pon entre comillas las celdas con un separador.',
    qr_incomplete: 'El código no está completo: copia todo el texto del QR.',
    position_broken: 'Esta entrada de un pedido está incompleta: descarga otra vez los pedidos de pretix.',
    position_no_secret: 'La entrada llegó sin código: descarga los pedidos con un token que pueda ver los códigos.',
    test_mode: 'El pedido se hizo en modo de prueba. La entrada vale de todos modos.',
    checked_in: 'Ya registrada en la tienda. El servidor no lo sabe y la dejará entrar.',
    mapping_unused: 'Ninguna entrada es «{product}»: comprueba cómo se escribe.',
    left_out_mapped: '«{name}» se omitió, como elegiste.',
    left_out_extra: '«{name}» no es una entrada ni corresponde a ningún tipo, así que se omitió.',
    text_shortened: 'Se acortó un texto largo.',
    answers_left_out: 'Las respuestas son demasiado largas y se omitieron.',
    questions_left_out: 'Las preguntas de un producto son demasiado largas y se omitieron.',
    products_many: 'El archivo nombra más de {most} productos: los demás solo tienen su clave por nombre.',
    columns_unused: 'Columnas sin usar: {columns}. Se conocen {known}.',
    no_status_column: 'No hay columna «{column}»: las entradas reembolsadas cuentan como válidas.',
    pretix_list:
      'Una lista de check-in de pretix no tiene entradas bloqueadas ni anuladas ni periodos de validez: si los necesitas, importa los pedidos de pretix.',
    pretix_export:
      'Esta exportación de pretix no tiene entradas bloqueadas ni anuladas ni periodos de validez: si los necesitas, importa los pedidos de pretix.',
    cancelled_left_out:
      'Las entradas anuladas en la tienda no están en esta exportación: anula a mano las importadas antes.',
    pages_missing: 'El archivo es solo una página de varias: descarga las demás e impórtalas todas.',
    positions_missing:
      'Faltan las entradas anuladas: descarga los pedidos con ellas, o las ya importadas seguirán siendo válidas.',
    dates_many:
      'Las entradas son para {n} fechas y todas dejarían entrar aquí: descarga los pedidos de una sola fecha.',
    list_never_admits:
      'La lista de check-in «{list}» de pretix nunca deja entrar a {product}. El servidor no conoce esa regla: da al producto un tipo sin acceso allí.',
    list_rules:
      'La lista de check-in «{list}» de pretix tiene reglas para {product} que no se admiten ({asked}). Ajusta igual los accesos, horarios y zonas de su tipo.',
    rules_more: 'Hay más reglas de listas de check-in de pretix para este producto: solo se nombran las mil primeras.',
    not_utf8: 'El archivo no es UTF-8 y se leyó como Windows-1252: comprueba los nombres con acentos.',
    columns_not_kept:
      'La asignación de columnas no se guardó para el próximo archivo: el servidor no puede escribir en la carpeta del evento.',
    columns_unreadable:
      'Las columnas asignadas en archivos anteriores no se pueden leer y no se usaron: corrige o borra columns.json en la carpeta del evento.',
  },
}
