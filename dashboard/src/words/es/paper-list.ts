/** Sentences about a paper list that was typed in, in Spanish. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Un código corto tiene ocho caracteres: compáralo con la hoja.',
  code_sign: 'Los códigos cortos no llevan 0, 1, I, L ni O: compara este con la hoja.',
  code_check: 'Hay un carácter equivocado o dos intercambiados: compáralo con la hoja.',
  code_unknown: 'Ninguna entrada de este evento tiene este código: compáralo con la hoja.',
  code_of_two: 'Dos entradas tienen este código: busca a la persona por su nombre.',
  other_gate: 'Este tipo de entrada no es para {checkpoint}: ¿es la hoja de otra puerta?',
  event_changed: 'El evento ha cambiado desde entonces: la entrada o su punto de entrada ya no existe.',
  sheet_of_other: 'Esta entrada ya se tecleó de la misma hoja para otro punto de entrada: cada hoja es de una puerta.',
  sheet_length: 'Un número de hoja tiene seis caracteres: está arriba en cada página.',
  sheet_sign: 'Un número de hoja no lleva 0, 1, I, L ni O: está arriba en cada página.',
  sheet_check: 'El número de hoja tiene un carácter equivocado: compáralo con el de arriba de la página.',
  used_too_long: 'La hoja se usó más de un día: comprueba las dos horas y su día.',
  entrance_gone: 'El evento no tiene ese punto de entrada: recarga la página y elige otro.',
  gate_gone: 'El evento no tiene esa puerta: recarga la página y elige otra.',
  closing: 'El servidor se está deteniendo: teclea la hoja otra vez cuando vuelva a funcionar.',
}
