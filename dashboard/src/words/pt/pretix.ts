/** Sentences about a pretix that cannot be read, told or connected, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'O pretix responde: «{words}».',
  certificate_name: 'O certificado de {host} é de outro nome: use o endereço que ele indica, ou corrija-o.',
  certificate_time: 'O certificado de {host} não vale neste momento ({why}): renove-o, ou acerte o relógio da box.',
  certificate_unknown:
    'A box não confia na autoridade que assinou o certificado de {host} ({why}): se for uma própria, dê o ficheiro PEM dela ao ligar.',
  no_address: 'Não se encontra {host}: verifique o endereço e o DNS da box.',
  port_closed: 'Em {host} nada responde: verifique se o pretix está a funcionar, e a porta.',
  no_answer: 'Não se chega a {host} ({why}): verifique a rede.',
  timed_out: '{host} não enviou tudo em {minutes} minutos: tente mais tarde.',
  token_refused: 'O pretix não aceita o token: crie lá outro e volte a ligar. O que acontece nas portas fica à espera.',
  token_forbidden:
    'O token não pode usar {path}: dê esse direito à equipa ou ao dispositivo no pretix (ver encomendas, check-ins), ou ligue com outro token.',
  token_no_checkins:
    'O token não pode registar entradas: dê à equipa o direito de fazer check-in, ou ao dispositivo o perfil «full». O que aconteceu fica à espera.',
  token_no_organizer: 'O token não vê nenhum organizador: dê acesso à equipa ou ao dispositivo no pretix.',
  token_no_event: 'O token não vê nenhum evento: dê acesso à equipa ou ao dispositivo no pretix.',
  token_missing: 'Falta o token, e a box não tem nenhum para este endereço: escreva-o.',
  token_of_device:
    'O pretix não conhece este token de dispositivo, ou já foi usado: crie um dispositivo novo no pretix e use o token dele.',
  busy: 'O pretix está sobrecarregado. A box volta a perguntar daqui a pouco.',
  busy_ask_again: 'O pretix está sobrecarregado: tente de novo daqui a um minuto.',
  fails: 'O pretix está com um problema (HTTP {status}). A box volta a perguntar daqui a pouco.',
  fails_ask_again: 'O pretix está com um problema (HTTP {status}): tente mais tarde.',
  redirects: '{host} leva a outro endereço: ligue com esse.',
  not_pretix:
    'Em {host} responde algo que não é o pretix (HTTP {status}): verifique o endereço, e se há à frente um proxy ou uma página de entrada.',
  not_json: 'Uma resposta não é do pretix (HTTP {status}): veja o que está à frente do pretix.',
  not_there:
    'O pretix não tem {path}, ou o token não o vê: verifique os nomes e o que a equipa ou o dispositivo pode usar.',
  not_taken: 'O pretix não aceita {path} (HTTP {status}).',
  list_too_long: '{host} tem mais de {most} elementos em {path}: não cabem na box.',
  address_strange: 'Isto não é um endereço web: escreva-o como https://pretix.example.',
  address_more: 'O endereço tem coisas a mais: escreva-o como https://pretix.example, sem utilizador, ? nem #.',
  address_http: 'Com http a rede veria o token: escreva o endereço com https.',
  no_dates: 'Este evento não tem datas para escolher.',
  series_empty: 'A série ainda não tem datas: junte-as primeiro no pretix.',
  date_unknown: 'A série não tem a data {date}. Escolha uma destas: {dates}.',
  list_gone:
    'A lista de check-in {list} já não existe no pretix: escolha outra para os pontos de controlo dela em pretix.yaml.',
  event_gone: 'O pretix já não conhece este evento: volte a ligá-lo. O que aconteceu nas portas fica à espera.',
  other_shop:
    'Esta box já segue a base de dados de uma loja (shop.yaml) e só aceita uma: retire primeiro esse ficheiro, ou use outra box.',
  connection_damaged: 'O ficheiro da ligação está danificado: volte a ligar o pretix.',
  authority_unreadable: 'Não se consegue ler o ficheiro da autoridade ({why}): {path}.',
  authority_missing: 'Este ficheiro não tem nenhum certificado: escolha o PEM da autoridade que assinou o do pretix.',
  event_not_proposed: 'Com o que há no pretix não se faz um evento: crie-o primeiro no ecrã Evento.',
  box_fails: 'A box não conseguiu aplicar o que o pretix envia: o motivo está no ficheiro de log dela.',
  box_cannot_write: 'A box não consegue escrever os ficheiros ({why}): veja as pastas e o disco.',
}
