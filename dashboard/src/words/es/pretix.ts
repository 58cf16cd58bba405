/** Sentences about a pretix that cannot be read, told or connected, in Spanish. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix responde: «{words}».',
  certificate_name: 'El certificado de {host} es de otro nombre: usa la dirección que indica o corrígelo.',
  certificate_time: 'El certificado de {host} no vale en este momento ({why}): renuévalo o pon en hora el servidor.',
  certificate_unknown:
    'El servidor no se fía de la autoridad que firmó el certificado de {host} ({why}): si es una propia, da su archivo PEM al conectar.',
  no_address: 'No se encuentra {host}: comprueba la dirección y el DNS del servidor.',
  port_closed: 'En {host} no responde nada: comprueba que pretix funciona, y el puerto.',
  no_answer: 'No se llega a {host} ({why}): comprueba la red.',
  timed_out: '{host} no lo ha enviado todo en {minutes} minutos: inténtalo más tarde.',
  token_refused:
    'pretix no acepta el token: crea otro allí y vuelve a conectar. Lo que pasa en las puertas queda en espera.',
  token_forbidden:
    'El token no puede usar {path}: da ese permiso a su equipo o dispositivo en pretix (ver pedidos, check-ins), o conecta con otro token.',
  token_no_checkins:
    'El token no puede registrar accesos: da a su equipo el permiso de check-in, o al dispositivo el perfil «full». Lo ocurrido queda en espera.',
  token_no_organizer: 'El token no ve ningún organizador: da acceso a su equipo o dispositivo en pretix.',
  token_no_event: 'El token no ve ningún evento: da acceso a su equipo o dispositivo en pretix.',
  token_missing: 'Falta el token y el servidor no tiene ninguno para esta dirección: escríbelo.',
  token_of_device:
    'pretix no conoce este token de dispositivo, o ya se usó: crea otro dispositivo en pretix y usa su token.',
  busy: 'pretix está saturado. El servidor vuelve a preguntar enseguida.',
  busy_ask_again: 'pretix está saturado: inténtalo dentro de un minuto.',
  fails: 'pretix tiene un problema propio (HTTP {status}). El servidor vuelve a preguntar enseguida.',
  fails_ask_again: 'pretix tiene un problema propio (HTTP {status}): inténtalo más tarde.',
  redirects: '{host} lleva a otra dirección: conecta con esa.',
  not_pretix:
    'En {host} responde algo que no es pretix (HTTP {status}): comprueba la dirección y si hay delante un proxy o una página de acceso.',
  not_json: 'Una respuesta no es de pretix (HTTP {status}): mira qué hay delante de pretix.',
  not_there:
    'pretix no tiene {path}, o el token no lo ve: comprueba los nombres y lo que puede usar su equipo o dispositivo.',
  not_taken: 'pretix no acepta {path} (HTTP {status}).',
  list_too_long: '{host} tiene más de {most} elementos en {path}: no caben en el servidor.',
  address_strange: 'Esto no es una dirección web: escríbela como https://pretix.example.',
  address_more: 'A la dirección le sobra algo: escríbela como https://pretix.example, sin usuario, ? ni #.',
  address_http: 'Con http la red vería el token: escribe la dirección con https.',
  no_dates: 'Este evento no tiene fechas para elegir.',
  series_empty: 'La serie aún no tiene fechas: añádelas antes en pretix.',
  date_unknown: 'La serie no tiene la fecha {date}. Elige una de estas: {dates}.',
  list_gone:
    'La lista de check-in {list} ya no existe en pretix: elige otra para sus puntos de control en pretix.yaml.',
  event_gone: 'pretix ya no conoce este evento: vuelve a conectarlo. Lo ocurrido en las puertas queda en espera.',
  other_shop:
    'Este servidor ya sigue la base de datos de una tienda (shop.yaml) y solo admite una: quita antes ese archivo o usa otro servidor.',
  connection_damaged: 'El archivo de la conexión está dañado: vuelve a conectar pretix.',
  authority_unreadable: 'No se puede leer el archivo de la autoridad ({why}): {path}.',
  authority_missing: 'Este archivo no tiene ningún certificado: elige el PEM de la autoridad que firmó el de pretix.',
  event_not_proposed: 'Con lo que hay en pretix no sale un evento: créalo antes en la pantalla Evento.',
  box_fails: 'El servidor no ha podido aplicar lo que envía pretix: el motivo está en su archivo de log.',
  box_cannot_write: 'El servidor no puede escribir sus archivos ({why}): mira sus carpetas y su disco.',
}
