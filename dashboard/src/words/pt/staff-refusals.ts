/** Sentences about ways in that cannot be given or used, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const staffRefusalWords: BoxWords['staff'] = {
  pin_short: 'Um PIN tem pelo menos {digits} algarismos: escolha um mais longo.',
  pin_easy: 'Este PIN é dos primeiros que qualquer um tenta: escolha outro.',
  password_short:
    'Uma palavra-passe tem pelo menos {letters} caracteres, um PIN pelo menos {digits} algarismos: escolha algo mais longo.',
  password_easy: 'Esta palavra-passe é das primeiras que qualquer um tenta: escolha outra.',
  own_secret_wrong: 'Não é o seu PIN nem a sua palavra-passe: tente de novo.',
  role_lacks: 'A sua função não permite isto: fale com um administrador do evento.',
  no_pin_to_confirm:
    'Isto não se pode desfazer, e não tem PIN para confirmar: inicie sessão de novo e faça-o em dois minutos.',
  own_name_needed: 'Aqui ninguém iniciou sessão com o seu nome: inicie primeiro sessão com o seu.',
  taken_off: 'Já não está na lista do pessoal: fale com um administrador do evento.',
  tablet_needs_pin: 'Um tablet desbloqueia-se com um PIN: dê primeiro um a esta pessoa.',
  tablet_link_unknown: 'A box não conhece este link: peça um novo a um administrador.',
  tablet_link_used: 'Este link já foi usado: peça um novo a um administrador.',
  tablet_link_expired: 'Este link expirou: peça um novo a um administrador.',
  tablet_links_many: 'Já há {most} links por usar: espere dez minutos e crie outro.',
  passkey_needs_pin: 'Uma chave de acesso vai com um PIN: peça primeiro um a um administrador.',
  passkey_refused: 'Esta chave de acesso não abre esta box: entre com nome e PIN.',
  passkey_late: 'Esta chave de acesso foi começada noutro sítio ou há demasiado tempo: comece de novo.',
  passkey_invalid: 'Esta chave de acesso não é válida: comece de novo.',
  passkeys_many: 'Cada pessoa pode ter {most} chaves de acesso no total: use uma delas.',
  passkey_gone: 'Essa chave de acesso já não existe: veja a lista de novo.',
  no_passkeys: 'Esta box não tem nome público, e por isso não há chaves de acesso: use nome e PIN.',
  no_role_here: 'Nenhum dos seus grupos tem uma função neste evento: pergunte à organização.',
  provider_away:
    'O início de sessão do organizador não responde; a box pode estar sem internet: entre com nome e PIN, ou num tablet emparelhado.',
  provider_unfinished: 'O início de sessão do organizador não foi concluído: comece de novo.',
  provider_other_issuer:
    'O início de sessão do organizador indica outro emissor que não o das definições da box: um administrador tem de as corrigir.',
  sign_in_over: 'Este início de sessão terminou, ou começou noutro navegador: comece de novo.',
  tokens_many: 'A box guarda no máximo {most} tokens de API: não cria mais.',
  token_gone: 'Esse token de API já não existe: veja a lista de novo.',
}
