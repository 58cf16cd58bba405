/** Sentences about a ticket file of which nothing can be used, or nothing was, in Spanish. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'La primera línea no es de una tabla: exporta las entradas como CSV con cabecera, o como JSON desde pretix.',
  header_is_ticket: 'La primera línea parece una entrada: añade encima una línea con los nombres de las columnas.',
  quote_open: 'Las comillas de la celda de la línea {line} no se cierran: ciérralas o exporta otra vez el archivo.',
  quote_inside:
    'La celda de la línea {line} contiene unas comillas: duplícalas ("") y pon la celda entre comillas, o quítalas.',
  web_page: 'Es una página web o XML: entra otra vez en la tienda y exporta las entradas como CSV.',
  no_ticket: 'En el archivo no hay ninguna entrada: expórtalo otra vez.',
  json_as_csv: 'Es un archivo JSON y {format} se lee como CSV: elige el formato «Detectar» o el archivo CSV.',
  json_broken: 'El archivo empieza como JSON pero está dañado, quizá cortado: descárgalo otra vez.',
  other_format: 'El archivo no parece de {format}, sino de {formats}: elige el formato «Detectar».',
  columns_many:
    'El archivo tiene {columns} columnas y se pueden asignar {most} como mucho: quita las que no hagan falta en las puertas.',
  column_english:
    'A esta exportación de {shop} le falta la columna «{column}»: expórtala otra vez con {shop} en inglés.',
  column_absent: 'A esta exportación de {shop} le falta la columna «{column}»: añádela en {shop} y exporta otra vez.',
  column_full_code:
    'La exportación de alf.io solo tiene la mitad de lo que muestran las entradas: añade una columna «{column}» con el texto completo de cada código QR.',
  column_barcode:
    'Falta la columna «{column}»: añádela al informe de asistentes de Eventbrite (no al de pedidos) y expórtalo en inglés.',
  column_secret:
    'Falta la columna «{column}»: exporta otra vez la lista de check-in con «Include QR-code secret» marcado y pretix en inglés, o los pedidos como JSON.',
  column_needed: 'Al archivo le falta la columna «{column}»: añádela. Una entrada necesita al menos «code» y «tier».',
  no_orders: 'En el archivo no hay pedidos: descárgalos otra vez de pretix.',
  not_an_order:
    'El elemento {entry} del archivo JSON no es de pretix: descarga los pedidos del evento de su API (.../orders/).',
  tickets_busy:
    'No se importó nada: otra cosa no dejaba de cambiar estas entradas. Espera a que acabe la otra importación o la tienda e inténtalo otra vez.',
  interrupted: 'La importación se interrumpió y no se importó nada: importa el archivo otra vez.',
  tiers_timed_out: 'Se tarda demasiado en mirar este archivo: empieza sin él e impórtalo cuando el evento esté creado.',
}
