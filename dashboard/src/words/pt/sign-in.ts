/** The sentences of signing in that the first screen does without, in Portuguese. */
import type { signInWords as English } from '../en/sign-in.ts'

export const signInWords: typeof English = {
  with: (host) => `Iniciar sessão com ${host}`,
  elsewhere: (host) => `Para iniciar sessão com ${host}, abra esta página pelo nome dela`,
  going: 'A perguntar à box…',
  empty: 'Escreva o seu nome e o seu PIN.',
  wrong: 'Nome ou PIN errado. Tente de novo, ou peça um novo PIN a um administrador.',
  changeTitle: 'Quem fica em serviço?',
  confirmTitle: 'O seu PIN, por favor',
  confirmText: (name) => `Isto não se pode desfazer. Só ${name} pode continuar.`,
  confirm: 'Continuar',
  passkey: 'Iniciar sessão com uma chave de acesso',
  passkeyElsewhere: 'Para iniciar sessão com uma chave de acesso, abra esta página pelo nome dela',
  passkeyNone: 'Não chegou nenhuma chave de acesso. Tente de novo, ou use o nome e o PIN.',
  passkeyThere: 'Este dispositivo já tem uma chave de acesso sua.',
  passkeyWrong: 'Esta chave de acesso não serve aqui. Use o nome e o PIN.',
}
