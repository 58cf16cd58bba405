/** Sentences for the codes that the box sends, in Portuguese. */
import { settingWords } from '@gatehouse/proto/setting-words/pt.ts'
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
    in_contact: 'As boxes estão em contacto.',
    forced: 'Foi forçado pela sala de controlo.',
    votes_unreachable: 'A maioria das boxes que decidem não responde.',
    authority_unknown: 'Entretanto pode ser outra box a decidir.',
    voters_unsynced: 'As boxes que decidem não confirmam que gravam antes de responder.',
    backfilling: 'As boxes que decidem estão a receber a lista de quem está lá dentro.',
    confirming: {
      one: '# entrada está a ser confirmada com as outras boxes.',
      other: '# entradas estão a ser confirmadas com as outras boxes.',
    },
    arriving: 'Ainda estão a chegar dados das outras boxes.',
    settling: 'As boxes voltaram a ter contacto. Esta espera dez segundos para ter a certeza.',
    refused: 'Esta box não pode usar o que {name} envia.',
    refused_more: { one: 'O mesmo acontece com mais # box.', other: 'O mesmo acontece com mais # boxes.' },
    silent: '{name}: sem contacto há {for_ms}.',
    silent_since_start: '{name}: sem contacto desde que esta box arrancou.',
    silent_more: { one: 'Mais # box está sem contacto.', other: 'Mais # boxes estão sem contacto.' },
    no_server:
      'Nesta box não funciona nenhum nats-server: instale o pacote nats-server ou defina GATEHOUSE_NATS_SERVER.',
    server_fails: 'O nats-server desta box não arranca.',
  },
  peer: {
    not_signed:
      'As mensagens dela não estão assinadas. Se tem uma versão mais antiga, atualize-a. Se não, outra máquina usa o nome dela.',
    stranger: 'Uma máquina que não está na lista de boxes responde em vez dela: descubra qual.',
    forged: 'Outra máquina responde em vez dela: descubra qual.',
    other_key:
      'As mensagens dela estão cifradas para outra lista de boxes. Poderão ser lidas quando ambas tiverem a mesma lista.',
    misshapen: 'Esta box não consegue ler o que ela envia. Se as versões forem diferentes, atualize a mais antiga.',
    history_changed: 'Alterou linhas do registo que já tinha enviado: guarde os dados dela e verifique o registo.',
    not_applied:
      'Esta box não consegue processar as linhas do registo dela. O motivo está no ficheiro de log desta box.',
    copy_refused: 'A cópia do registo dela que {name} tem é recusada.',
    seal_unsigned: 'O selo dela não está assinado com a chave dela.',
    seal_differs: {
      one: 'O selo dela sobre # linha do registo não corresponde ao que enviou.',
      other: 'O selo dela sobre # linhas do registo não corresponde ao que enviou.',
    },
    two_seals: {
      one: 'Assinou dois selos diferentes sobre # linha do registo.',
      other: 'Assinou dois selos diferentes sobre # linhas do registo.',
    },
    other_event: 'Tem outro ficheiro do evento: dê o mesmo às duas e reinicie a que tem o mais antigo.',
  },
  boxes: {
    box_alone: 'Esta box está sozinha: não há outra.',
    box_unlisted: 'A box {name} já não está na lista: veja a lista de novo.',
    last_box: 'A última box de um evento não pode ser retirada.',
    box_outdated: '{name} tem uma versão mais antiga, que não cifra nada: atualize-a primeiro.',
    votes_already: '{name} já decide.',
    in_data_centre: '{name} está num centro de dados: as boxes que decidem têm de estar no recinto.',
    no_vote: '{name} não decide: não há nada a substituir.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Retirado na porta.',
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
    code_missing: 'A linha não tem código: preencha-o ou apague a linha.',
    code_rounded: 'Uma folha de cálculo arredondou o código (1.2E+15): use o ficheiro como a loja o exporta.',
    code_error: 'Uma folha de cálculo trocou o código por um erro ou por ####: use o ficheiro como a loja o exporta.',
    code_decimals: 'O código acaba em decimais (123.0): exporte-o como texto.',
    code_is_date: 'Uma folha de cálculo fez do código uma data: use o ficheiro como a loja o exporta.',
    code_apostrophe: 'O código começa com um apóstrofo de uma folha de cálculo: tire-o ou exporte o código como texto.',
    code_rotating: 'Este código muda a cada poucos segundos (G1:): importe o código que a loja imprimiu.',
    code_lost_characters: 'Ao gravar o ficheiro perderam-se caracteres do código: exporte de novo como CSV UTF-8.',
    code_invisible: 'O código contém um carácter invisível: tire-o.',
    code_too_long: 'O código tem mais de {bytes} bytes, demasiado para ler: verifique a coluna.',
    code_formula: 'O código estava escrito como fórmula (="...") e foi lido sem ela.',
    code_blanks: 'Os espaços à volta do código foram tirados.',
    code_scanner_marks: 'O que um leitor acrescenta a um código (]Q1, caracteres de controlo) foi tirado.',
    code_twice: 'A linha {row} tem o mesmo código: apague uma das duas.',
    digits_rounded:
      'Todos os códigos longos acabam em zeros: uma folha de cálculo arredondou-os. Use o ficheiro como a loja o exporta.',
    digits_short: 'O código é mais curto do que os outros e nenhum começa por 0: compare-o com um bilhete impresso.',
    tier_missing: 'A linha não indica o tipo de bilhete: ponha um de {tiers}.',
    no_tier: '«{name}» não corresponde a nenhum tipo de bilhete.',
    date_unreadable: '{column} «{text}» não é uma data: escreva 2026-07-04 ou 2026-07-04 18:00.',
    dates_swapped: 'valid_until é anterior a valid_from: corrija um dos dois.',
    not_a_date: '{column} não é uma data.',
    status_unknown: 'O estado «{status}» não existe: use um de {known}.',
    order_status_unknown: 'A encomenda tem um estado desconhecido («{status}»): obtenha-a de novo.',
    quantity:
      'A quantidade é «{quantity}», mas um código deixa entrar uma pessoa: exporte uma lista com uma linha por pessoa.',
    row_cut_off: 'O ficheiro acaba a meio desta linha: descarregue-o de novo.',
    cells_many: 'A linha tem {cells} células e o cabeçalho {header}: ponha entre aspas as células com um separador.',
    qr_incomplete: 'O código não está completo: copie todo o texto do código QR.',
    position_broken: 'Este bilhete de uma encomenda está incompleto: obtenha de novo as encomendas do pretix.',
    position_no_secret: 'O bilhete veio sem código: obtenha as encomendas com um token que possa ver os códigos.',
    test_mode: 'A encomenda foi feita em modo de teste. O bilhete deixa entrar na mesma.',
    checked_in: 'Já registado na loja. A box não o sabe e vai deixar entrar.',
    mapping_unused: 'Nenhum bilhete é «{product}»: verifique como se escreve.',
    left_out_mapped: '«{name}» ficou de fora, como escolheu.',
    left_out_extra: '«{name}» não é um bilhete nem corresponde a nenhum tipo de bilhete: ficou de fora.',
    text_shortened: 'Um texto longo foi encurtado.',
    answers_left_out: 'As respostas são demasiado longas e ficaram de fora.',
    questions_left_out: 'As perguntas de um produto são demasiado longas e ficaram de fora.',
    products_many: 'O ficheiro nomeia mais de {most} produtos: os outros têm só a chave como nome.',
    columns_unused: 'Colunas não usadas: {columns}. Conhecidas: {known}.',
    no_status_column: 'Não há coluna «{column}»: os bilhetes reembolsados contam como válidos.',
    pretix_list:
      'Uma lista de check-in do pretix não tem bilhetes bloqueados ou cancelados nem validade: se precisar disso, importe as encomendas do pretix.',
    pretix_export:
      'Esta exportação do pretix não tem bilhetes bloqueados ou cancelados nem validade: se precisar disso, importe as encomendas do pretix.',
    cancelled_left_out: 'Os bilhetes cancelados não estão nesta exportação: anule à mão os importados antes.',
    pages_missing: 'O ficheiro é só uma página de várias: obtenha as outras e importe-as todas.',
    positions_missing:
      'Faltam os bilhetes cancelados: obtenha as encomendas com eles, senão os já importados continuam válidos.',
    dates_many: 'Os bilhetes são para {n} datas e todos deixariam entrar aqui: obtenha as encomendas de uma só data.',
    list_never_admits:
      'A lista de check-in «{list}» do pretix nunca deixa entrar {product}. A box não conhece essa regra: dê ao produto um tipo de bilhete sem acesso ali.',
    list_rules:
      'A lista de check-in «{list}» do pretix tem para {product} regras não suportadas ({asked}). Ponha iguais as entradas, horários e zonas do tipo de bilhete.',
    rules_more: 'Há mais regras de listas de check-in do pretix para este produto: só são indicadas as primeiras mil.',
    not_utf8: 'O ficheiro não está em UTF-8 e foi lido como Windows-1252: verifique os nomes com acentos.',
    columns_not_kept:
      'As colunas escolhidas não foram guardadas para o próximo ficheiro: a box não consegue escrever na pasta do evento.',
    columns_unreadable:
      'As colunas escolhidas em ficheiros anteriores não se conseguem ler e não foram usadas: corrija ou apague columns.json na pasta do evento.',
  },
}
