/** Text read before and after scanning, in Portuguese: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# leitura', other: '# leituras' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Emparelhar este telemóvel',
    arrived: 'Toque uma vez para fazer deste telemóvel um leitor.',
    none: 'A sala de controlo mostra um convite em código QR. Leia-o, ou abra o link neste telemóvel.',
    deleted:
      'Este telemóvel estava emparelhado e o seu navegador apagou os dados da aplicação. Peça um novo convite à sala de controlo.',
    deletedUnsent: (n) => `Por enviar e perdidas: ${scans(n)}. Avise a sala de controlo.`,
    name: 'Nome deste telemóvel',
    nameHint: 'A sala de controlo vê-o, por exemplo «Porta Norte 2».',
    guess: (platform) => (platform === '' ? 'Telemóvel' : `Telemóvel ${platform}`),
    pair: 'Emparelhar este telemóvel',
    pairing: 'A emparelhar',
    scan: 'Ler o convite',
    stopCamera: 'Parar a câmara',
    paste: 'Colar o link do convite',
    use: 'Usar este convite',
    noInvite: 'O convite não está completo. É um link que começa por https:// e contém #i=.',
    another: 'Usar outro convite',
    already: (name) =>
      `Este telemóvel já está emparelhado como «${name}». Para o emparelhar de novo, desemparelhe-o primeiro.`,
    keep: 'Manter como está',
  },

  checkpoint: {
    title: 'Em que ponto de controlo está?',
    operator: 'O seu nome',
    operatorHint: 'Opcional. Fica com as suas leituras neste telemóvel e aparece na passagem de turno.',
    in: 'Entrada',
    out: 'Saída',
    none: 'Este telemóvel não tem ponto de controlo. Peça outro convite à sala de controlo.',
  },

  recent: {
    title: 'Leituras recentes',
    lead: 'As últimas 50 deste telemóvel.',
    none: 'Ainda sem leituras.',
    alone: 'offline',
    sent: 'enviada',
    unsent: 'por enviar',
    confirmed: 'confirmada',
    supervised: 'admitido por supervisor',
    undone: 'desfeita',
    double: 'usado duas vezes',
    ago: (age) => `há ${age}`,
    past: 'Leitura anterior',
  },

  doubles: {
    title: 'Usados duas vezes',
    lead: 'Deixou entrar estes com o telemóvel offline, e os mesmos bilhetes também foram usados noutro lado. Ninguém é posto fora: a sala de controlo tem os dois registos.',
    none: 'Nenhum.',
    yours: 'Aqui, com este telemóvel',
    other: 'Noutro lado',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'A sala de controlo tem o outro registo.',
    dismiss: 'Percebido',
    aside: 'Rejeitadas pela box',
    asideLead: 'Avise a sala de controlo: a box não tem registo destas.',
  },

  shift: {
    title: 'Este turno',
    since: (ms) => `Desde: ${clock(ms)}`,
    operator: 'Em serviço',
    signOn: 'Identificar-se',
    signOff: 'Sair',
    change: 'Trocar',
    name: 'O seu nome',
    counts: 'Leituras',
    total: (n) => `${scans(n)} ao todo`,
    also: 'Também',
    alone: 'Decididas offline',
    supervised: 'Admitidos por supervisor',
    undone: 'Desfeitas',
    doubles: 'Usados duas vezes',
    unsent: 'Por enviar',
    aside: 'Rejeitadas pela box',
    handOver: 'Passar o turno',
    handOverTitle: 'Passar este telemóvel a outra pessoa?',
    handOverText:
      'As contagens voltam a zero e deixa de estar em serviço. As leituras por enviar ficam no telemóvel até serem enviadas.',
    handOverUnsent: (n) => `${scans(n)} por enviar. Leve o telemóvel de volta à rede antes de o desligar.`,
    handOverConfirm: 'Passar o turno',
    handedOver: 'Turno passado',
    copy: 'Copiar',
    copied: 'Copiado',
    done: 'Concluído',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint}: ${summary.operator ?? 'sem nome'}, ${clock(summary.since)}–${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${n}`),
        `Decididas offline: ${summary.alone}`,
        `Admitidos por supervisor: ${summary.supervised}`,
        `Desfeitas: ${summary.undone}`,
        `Usados duas vezes: ${summary.doubles}`,
        summary.unsent === 0 ? 'Todas as leituras foram enviadas.' : `Por enviar: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Rejeitadas pela box: ${summary.aside}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Quem está a ler bilhetes?',
    now: 'Em serviço:',
    somebodyElse: 'Outra pessoa',
    name: 'Nome',
    secret: 'PIN ou palavra-passe',
    wrong: 'Nome ou PIN errado. Tente de novo.',
    wait: 'Demasiadas tentativas. Espere um momento ou peça um novo PIN à sala de controlo.',
    unreachable: 'A box não responde. Tente de novo.',
    aloneLocked: 'A box não responde: ninguém se pode identificar até ela voltar.',
    aloneAs: (name) =>
      `A box não responde: ${name} continua em serviço e mais ninguém se pode identificar até ela voltar.`,
  },

  settings: {
    title: 'Opções',
    licences: 'Licenças desta aplicação',
    theme: 'Claro ou escuro',
    language: 'Idioma',
    themes: { auto: 'Como o telemóvel', light: 'Claro', dark: 'Escuro' },
    volume: 'Volume dos resultados',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Ouvir os sons',
    vibration: 'Vibrar',
    camera: 'Câmara',
    preflight: 'Verificar antes de abrir',
    checkpoint: 'Mudar de ponto de controlo',
    phone: 'Este telemóvel',
    name: 'Nome',
    event: 'Evento',
    box: 'Box',
    certificate: 'Certificado válido até',
    version: 'Versão',
    supervisor: 'Supervisor',
    yes: 'Sim',
    no: 'Não',
    rehearsal:
      'Está a decorrer um ensaio: o que este telemóvel lê não conta. Se estiver a entrar gente, saia do ensaio.',
    leaveRehearsal: 'Sair do ensaio',
    newer: 'Há uma versão nova.',
    restart: 'Reiniciar agora',
    unpair: 'Desemparelhar este telemóvel',
    unpairTitle: 'Desemparelhar este telemóvel?',
    unpairText: 'A chave e a lista de bilhetes são apagadas. Para voltar a ler, precisa de um novo convite.',
    unpairUnsent: (n) => `Vai perder ${scans(n)} por enviar: a box nunca saberá quem entrou.`,
    unpairConfirm: 'Desemparelhar',
    unpairForce: (n) => `Desemparelhar e perder ${scans(n)}`,
  },

  ended: { title: 'Este telemóvel já não pode ler bilhetes', pairAgain: 'Desemparelhar e emparelhar de novo' },
}
