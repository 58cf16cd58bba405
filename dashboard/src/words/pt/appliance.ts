/** The sentences of the screen of the machine, in Portuguese. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

export const applianceWords: typeof English = {
  title: 'Máquina',
  lead: 'A máquina em que a box funciona: definições, relógio, software, cópias de segurança.',
  none: 'Esta box não funciona na máquina Gatehouse. Relógio, software e cópias são os da máquina em que está.',
  loading: 'A perguntar à máquina…',
  again: 'Tentar de novo',

  settings: 'Definições',
  fine: 'O gatehouse.toml não tem problemas.',
  problems: (n) =>
    speech.count(n, {
      one: '# linha de gatehouse.toml não foi usada',
      other: '# linhas de gatehouse.toml não foram usadas',
    }),
  line: (n) => `Linha ${n}`,
  correct:
    'A box funciona sem elas. Corrija o ficheiro do cartão em qualquer computador, reponha o cartão e ligue a box.',

  machine: 'Máquina',
  facts: { room: 'Espaço livre', temperature: 'Temperatura', uptime: 'Ligada há', clock: 'Relógio' },
  room: (free, total) => `${actions.import.size(free)} de ${actions.import.size(total)}`,
  roomLow: 'Ponha em breve um cartão maior: sem espaço, não se pode ler ninguém.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Quente demais: dê-lhe ar.',
  unknown: 'A máquina não diz',

  time: 'Relógio',
  synced: (source) => (source === null ? 'Acertado pela rede.' : `Acertado pela rede (${source}).`),
  unsynced: 'Não acertado pela rede. A box continua a contar, e aceita códigos com até dois minutos.',
  boxTime: (at) => `A box mostra ${at}.`,
  differs: (ms) =>
    `Está ${actions.time.duration(ms)} ${ms > 0 ? 'atrasada' : 'adiantada'} em relação a este dispositivo. A hora deste dispositivo está certa?`,
  agrees: 'Este dispositivo mostra o mesmo.',
  setTime: 'Acertar a box pela hora deste dispositivo',
  timeSet: 'O relógio está acertado.',

  software: 'Software',
  slot: (name) => `Partição ${name}`,
  version: (version) => (version === null ? 'vazia' : `versão ${version}`),
  running: 'em uso',
  next: 'arranca a seguir',
  slotBad: 'não arrancou quando foi tentada',
  none_known: 'A máquina não diz que versões tem.',
  states: {
    uploading: (percent) => (percent === null ? 'A enviar a atualização' : `A enviar a atualização, ${percent} %`),
    checking: 'A verificar se a atualização é autêntica e para esta máquina',
    installing: (percent) => `A instalar${percent === null ? '' : `, ${percent} %`}. As portas continuam a funcionar.`,
    ready: (version) =>
      `${version === null ? 'Atualização instalada' : `Versão ${version} instalada`}. Arranca quando a máquina for reiniciada.`,
  },
  older: (version) => `Instalar a versão ${version} apesar de ser mais antiga`,
  failed: (reason) => `A atualização não foi instalada. ${reason}`,
  choose: 'Ficheiro de atualização',
  chooseHint: 'Termina em .update, no máximo 1 GB. De preferência entre dois eventos: o envio ocupa o cartão.',
  notUpdate: 'Isto não é uma atualização. Escolha o ficheiro que termina em .update.',
  tooLarge: 'Este ficheiro tem mais de 1 GB; nenhuma atualização é tão grande.',
  send: 'Enviar e instalar',
  sending: 'A enviar a atualização',
  cancel: 'Cancelar',
  unanswered: 'A ligação perdeu-se antes de chegar o ficheiro todo. Nada mudou. Envie-o de novo.',
  cancelled: 'Cancelado. Nada mudou.',
  stick: 'Na pen USB',
  install: (name) => `Instalar ${name}`,
  restart: 'Reiniciar agora',
  restartTitle: 'Reiniciar a máquina?',
  restartText: 'Os leitores funcionam offline cerca de um minuto e enviam as leituras depois.',
  restartUpdate: 'A nova versão arranca. Se não funcionar em três minutos, a máquina volta sozinha a esta.',
  restarting: 'A máquina está a reiniciar. Esta página volta sozinha.',
  rollback: (version) => (version === null ? 'Voltar atrás' : `Voltar à versão ${version}`),
  rollbackTitle: 'Voltar à versão anterior?',
  rollbackText:
    'A máquina reinicia com ela. Bilhetes e leituras ficam como estão. Os leitores funcionam offline cerca de um minuto.',
  unstart: 'Descartar',
  unstartTitle: 'Descartar a nova versão?',
  unstartText: 'A máquina mantém a versão atual. Para ter a nova, instale-a outra vez.',
  unstarted: 'Descartada. Fica a versão atual.',

  backup: 'Cópia de segurança',
  backupLead:
    'Tudo o que está nesta box, num ficheiro. Contém as chaves da box, por isso cifre-o: assim não serve de nada a um ladrão. A box não guarda o que escrever aqui.',
  protect: 'Cifra',
  ways: { passphrase: 'Com frase-passe', recipients: 'Para destinatários age', none: 'Sem cifra' },
  passphrase: 'Frase-passe',
  passphraseHint: 'Pelo menos 12 caracteres. O melhor são cinco ou mais palavras ao acaso.',
  strength: {
    short: 'Curta demais: pelo menos 12 caracteres.',
    weak: 'Fraca: um ladrão com o ficheiro pode tentar o tempo que quiser. Junte palavras.',
    fair: 'Razoável. Mais uma ou duas palavras tornam-na forte.',
    strong: 'Forte, a não ser que venha de um livro ou de uma canção.',
  },
  passphraseAgain: 'Repetir a frase-passe',
  passphraseLost: 'Anote-a e guarde-a longe do ficheiro. Sem ela, ninguém consegue restaurar esta cópia.',
  recipients: 'Destinatários',
  recipientsHint:
    'Um por linha: age1…, a chave pública que o age-keygen mostra. Quem tiver uma das chaves secretas pode restaurar a cópia.',
  worth:
    'Quem obtiver este ficheiro tem as chaves da box: pode deixar entrar qualquer pessoa, fazer-se passar pela box e assinar em nome dela. Pode ler os nomes e e-mails de todos os titulares e os códigos de todos os bilhetes. Guarde-o tão bem como os bilhetes.',
  protectionMistakes: {
    short: 'Nenhuma cópia feita: a frase-passe é curta demais. Precisa de 12 caracteres ou mais.',
    control:
      'Nenhuma cópia feita: a frase-passe contém uma tabulação ou outro carácter que alguns teclados não escrevem.',
    different: 'Nenhuma cópia feita: as duas frases-passe não coincidem. Escreva-as de novo.',
    noRecipient: 'Nenhuma cópia feita: indique um destinatário (age1…), ou escolha uma frase-passe.',
    notRecipient: 'Nenhuma cópia feita: um destinatário começa por age1 e tem uma linha só para si. Copie-o de novo.',
    identity:
      'Nenhuma cópia feita: isto é uma chave secreta (AGE-SECRET-KEY). Nada foi enviado. Use a chave pública, que começa por age1.',
    many: 'Nenhuma cópia feita: uma cópia pode ter no máximo 20 destinatários.',
  },
  download: 'Transferir uma cópia',
  downloading: (size) => `A receber a cópia, ${size} até agora`,
  downloaded: (name, size) => `Guardada como ${name}, ${size}.`,
  cutShort: 'A cópia estava incompleta e não foi guardada. Transfira-a de novo.',
  toStick: 'Gravar uma cópia na pen USB',
  noStick: 'Não há pen USB na box. Ponha uma, formatada em FAT32.',
  hasStick: 'Há uma pen USB na box.',
  making: 'A box está a fazer a cópia. Deixe a pen ligada.',
  copying: (percent) => `A gravar na pen${percent === null ? '' : `, ${percent} %`}. Deixe-a ligada.`,
  done: (name) => `A cópia está na pen${name === null ? '' : ` como ${name}`}. Já a pode tirar.`,
  backupFailed: (reason) => `Não há cópia na pen. ${reason}`,

  power: 'Reiniciar',
  powerLead: 'Ajuda quando uma parte da máquina não responde. Os leitores ficam offline cerca de um minuto.',
}
