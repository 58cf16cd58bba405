/** Sentences about a ticket file of which nothing can be used, or nothing was, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'A primeira linha não é de uma tabela: exporte os bilhetes como CSV com cabeçalho, ou como JSON do pretix.',
  header_is_ticket: 'A primeira linha parece um bilhete: acrescente por cima uma linha com os nomes das colunas.',
  quote_open: 'As aspas da célula na linha {line} não fecham: feche-as ou exporte o ficheiro de novo.',
  quote_inside:
    'A célula na linha {line} tem aspas lá dentro: duplique-as ("") e ponha a célula entre aspas, ou tire-as.',
  web_page: 'Isto é uma página web ou XML: inicie sessão na loja de novo e exporte os bilhetes como CSV.',
  no_ticket: 'O ficheiro não tem nenhum bilhete: exporte-o de novo.',
  json_as_csv: 'Isto é um ficheiro JSON, e {format} lê-se como CSV: escolha o formato «Detetar» ou o ficheiro CSV.',
  json_broken: 'O ficheiro começa como JSON mas está estragado, talvez cortado: descarregue-o de novo.',
  other_format: 'O ficheiro não parece ser de {format}, mas de {formats}: escolha o formato «Detetar».',
  columns_many:
    'O ficheiro tem {columns} colunas, e só se podem indicar {most}: retire aquelas de que nenhuma porta precisa.',
  column_english: 'Falta a coluna «{column}» a esta exportação de {shop}: exporte de novo, com {shop} em inglês.',
  column_absent: 'Falta a coluna «{column}» a esta exportação de {shop}: inclua-a em {shop} e exporte de novo.',
  column_full_code:
    'A exportação do alf.io só tem metade do que os bilhetes mostram: acrescente uma coluna «{column}» com o texto completo de cada código QR.',
  column_barcode:
    'Falta a coluna «{column}»: inclua-a no relatório de participantes do Eventbrite (não no de encomendas) e exporte-o em inglês.',
  column_secret:
    'Falta a coluna «{column}»: exporte de novo a lista de check-in com «Include QR-code secret» marcado e o pretix em inglês, ou as encomendas como JSON.',
  column_needed:
    'Falta ao ficheiro a coluna «{column}»: acrescente-a. Um bilhete precisa pelo menos de «code» e «tier».',
  no_orders: 'O ficheiro não tem encomendas: obtenha-as de novo do pretix.',
  not_an_order:
    'O elemento {entry} do ficheiro JSON não é do pretix: obtenha as encomendas do evento pela API (.../orders/).',
  tickets_busy:
    'Nada foi importado: outra coisa estava sempre a alterar estes bilhetes. Espere que a outra importação ou a loja acabe e tente de novo.',
  interrupted: 'A importação foi interrompida e nada foi importado: importe o ficheiro de novo.',
  tiers_timed_out: 'Este ficheiro demora demasiado a ver: comece sem ele e importe-o quando o evento estiver criado.',
}
