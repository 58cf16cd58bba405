/** Sentences about ways in that cannot be given or used, in Spanish. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Un PIN tiene al menos {digits} cifras: elige uno más largo.',
  pin_easy: 'Este PIN es de los primeros que prueba cualquiera: elige otro.',
  password_short:
    'Una contraseña tiene al menos {letters} caracteres y un PIN al menos {digits} cifras: elige algo más largo.',
  password_easy: 'Esta contraseña es de las primeras que prueba cualquiera: elige otra.',
  own_secret_wrong: 'Ese no es tu PIN ni tu contraseña: inténtalo otra vez.',
  role_lacks: 'Tu rol no permite esto: habla con un administrador del evento.',
  no_pin_to_confirm:
    'Esto no se puede deshacer y no tienes PIN para confirmarlo: inicia sesión otra vez y hazlo en menos de dos minutos.',
  own_name_needed: 'Aquí nadie ha iniciado sesión con su nombre: inicia sesión primero con el tuyo.',
  taken_off: 'Ya no estás en la lista del personal: habla con un administrador del evento.',
  tablet_needs_pin: 'Una tableta se desbloquea con un PIN: dale primero uno a esta persona.',
  tablet_link_unknown: 'El servidor no conoce este enlace: pide uno nuevo a un administrador.',
  tablet_link_used: 'Este enlace ya se ha usado: pide uno nuevo a un administrador.',
  tablet_link_expired: 'Este enlace ha caducado: pide uno nuevo a un administrador.',
  tablet_links_many: 'Ya hay {most} enlaces sin usar: espera diez minutos y crea otro.',
  passkey_needs_pin: 'Una llave de acceso va junto a un PIN: pide primero uno a un administrador.',
  passkey_refused: 'Esta llave de acceso no abre este servidor: entra con nombre y PIN.',
  passkey_late: 'Esta llave de acceso se empezó en otro sitio o hace demasiado tiempo: empieza otra vez.',
  passkey_invalid: 'Esta llave de acceso no es válida: empieza otra vez.',
  passkeys_many: 'Cada persona puede tener {most} llaves de acceso en total: usa una de ellas.',
  passkey_gone: 'Esa llave de acceso ya no existe: mira otra vez la lista.',
  no_passkeys: 'Este servidor no tiene nombre público, así que no hay llaves de acceso: usa nombre y PIN.',
  no_role_here: 'Ninguno de tus grupos tiene un rol en este evento: pregunta a la organización.',
  provider_away:
    'El inicio de sesión del organizador no responde; puede que el servidor esté sin internet: entra con nombre y PIN o en una tableta emparejada.',
  provider_unfinished: 'El inicio de sesión del organizador no se completó: empieza otra vez.',
  provider_other_issuer:
    'El inicio de sesión del organizador indica otro emisor que los ajustes del servidor: un administrador tiene que corregirlos.',
  sign_in_over: 'Este inicio de sesión ha terminado o empezó en otro navegador: empieza otra vez.',
  tokens_many: 'El servidor guarda como mucho {most} tokens de API: no crea más.',
  token_gone: 'Ese token de API ya no existe: mira otra vez la lista.',
}
