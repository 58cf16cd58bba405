/** The sentences of signing in that the first screen does without, in Spanish. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Entrar con ${host}`,
  elsewhere: (host) => `Para entrar con ${host}, abre esta página por su nombre`,
  going: 'Preguntando al servidor…',
  empty: 'Escribe tu nombre y tu PIN.',
  wrong: 'El nombre o el PIN no es correcto. Reinténtalo o pide otro PIN a un administrador.',
  changeTitle: '¿Quién toma el relevo?',
  confirmTitle: 'Tu PIN, por favor',
  confirmText: (name) => `Esto no se puede deshacer. Solo ${name} puede continuar.`,
  confirm: 'Continuar',
  passkey: 'Entrar con una llave de acceso',
  passkeyElsewhere: 'Para entrar con una llave de acceso, abre esta página por su nombre',
  passkeyNone: 'No se ha recibido ninguna llave de acceso. Reinténtalo o entra con nombre y PIN.',
  passkeyThere: 'Este dispositivo ya tiene una llave de acceso tuya.',
  passkeyWrong: 'Esta llave de acceso no sirve aquí. Entra con nombre y PIN.',
}
