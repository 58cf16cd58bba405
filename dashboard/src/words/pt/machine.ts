/** Sentences about updates and backups of the appliance that have failed, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Esta atualização é para outro tipo de máquina: use a desta box.',
  signed_wrongly:
    'Quando esta atualização foi assinada, o certificado dela não era válido: peça outra a quem publica o software.',
  not_signed: 'Esta atualização não está assinada por quem faz este software: descarregue-a só de lá.',
  damaged: 'Isto não é uma atualização, ou está danificada: descarregue-a de novo e volte a enviá-la.',
  too_large: 'Esta atualização não cabe no lugar dela na box: use a desta box.',
  fell_back: 'A versão nova não confirmou a tempo que funciona, e a box voltou à anterior.',
  older:
    'Esta atualização é a versão {version}, e a box tem a {running}, mais recente: escolha outra, ou instale-a mesmo assim.',
  own_unknown:
    'A box não sabe que versão tem, nem se esta é mais antiga: grave um cartão novo e reponha a última cópia.',
  update_too_large: 'Este ficheiro é maior do que qualquer atualização: escolha outro.',
  no_room: 'Não há espaço livre que chegue na box: use um cartão maior.',
  broke_off: 'Interrompeu-se a meio: tente de novo.',
  unanswered: 'A máquina não responde: reinicie-a e tente de novo.',
  no_file: 'O ficheiro já não está lá: escolha-o de novo.',
  no_stick: 'Não se consegue ler a pen USB: tire-a e volte a pô-la, formatada em FAT32.',
  stick_full: 'Não há espaço que chegue na pen USB: use outra.',
  stick_failed: 'Não se conseguiu escrever na pen USB: use outra.',
  no_other: 'Na box não há uma versão mais antiga a que voltar.',
  failed: 'Não resultou ({detail}): tente de novo e depois reinicie a box.',
  failed_somehow: 'Não resultou: tente de novo e depois reinicie a box.',
  no_backup: 'Não se conseguiu fazer a cópia: veja o espaço livre e tente de novo.',
  update_empty: 'O ficheiro está vazio: escolha-o de novo.',
  not_on_stick: 'Esta atualização já não está na pen USB: volte a pôr a pen.',
  stick_absent: 'Não há nenhuma pen USB na box: ponha uma, formatada em FAT32.',
  other_failed: 'A outra versão não arrancou quando foi experimentada: instale antes uma atualização.',
  recipient_bad:
    'O destinatário {number} não é uma chave pública age válida. Começa por age1: copie-a de novo com “age-keygen -y”.',
  machine_unasked: 'A box não consegue dar ordens à máquina: reinicie a box e tente de novo.',
  machine_stops: 'A box está a desligar-se: tente de novo quando voltar.',
  clock_strange: 'A data deste dispositivo está errada: acerte primeiro o relógio dele.',
}
