/** The sentences of the look-up screen, in Spanish. */
import type { lookUpWords as English } from '../en/look-up.ts'
import { speech } from './speech.ts'

export const lookUpWords: typeof English = {
  title: 'Buscar una entrada',
  lead: 'Por nombre, pedido o asiento. Se registra tu nombre; lo que escribes, no.',
  field: 'Nombre, pedido o asiento',
  hint: 'Al menos tres letras o cifras.',
  find: 'Buscar',
  busy: 'Buscando…',
  few: 'Escribe al menos tres letras o cifras.',
  offline: 'Este móvil está sin conexión y solo el servidor tiene los nombres. Espera o envía a taquilla.',
  signOn: 'Identifícate antes: cada búsqueda se registra con un nombre.',
  toShift: 'Identificarse en Turno',
  nothing: 'No se encuentra ninguna entrada. Prueba con menos letras del nombre o envía a taquilla.',
  reading: 'El servidor aún está cargando entradas. Puede haber más enseguida.',
  more: 'Hay más resultados. Escribe más letras del nombre.',
  results: (n) => speech.count(n, { one: '# entrada', other: '# entradas' }),
  unnamed: 'Sin nombre',
  order: (code) => `Pedido ${code}`,
  states: { valid: 'Válida', pending: 'Sin pagar', blocked: 'Bloqueada', revoked: 'Anulada' },
  inside: 'Dentro',
  outside: 'No está dentro',
}
