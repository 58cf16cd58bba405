/** Every sentence that a person reads in the shell and on the live screens, in Portuguese. */
import type { words as English } from '../en/words.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse Sala de controlo',

  screens: titles,

  session: {
    heading: 'Sala de controlo',
    intro: 'Escreva o token de administração desta caixa. Fica guardado até fechar este separador.',
    label: 'Token de administração',
    where:
      'A caixa mostra-o no primeiro arranque e guarda-o no ficheiro admin-token da pasta de dados. Na máquina Gatehouse, ponha show_admin_token = true em gatehouse.toml: no arranque seguinte fica em admin-token.txt no cartão.',
    submit: 'Abrir',
    checking: 'A perguntar à caixa…',
    noToken: 'Isso não é um token: copie a linha inteira que a caixa mostrou.',
    wrongToken: 'Este não é o token desta caixa. Copie o do ficheiro admin-token.',
    tokenRefused: 'A caixa já não aceita o seu token. Escreva o atual.',
    unreachable: 'A caixa não responde. Veja se está ligada e se este dispositivo está na rede dela.',
    strange: (status) => `Esta página não percebe a resposta da caixa (HTTP ${status}). Recarregue a página.`,
    unexpected: 'Algo correu mal nesta página. Recarregue-a: nada se perde na caixa.',
    signOut: 'Terminar sessão',
    person: {
      intro: 'Inicie sessão com o seu nome. Tudo o que fizer fica registado com ele.',
      name: 'Nome',
      secret: 'PIN ou palavra-passe',
      submit: 'Iniciar sessão',
      withName: 'Iniciar sessão com nome e PIN',
      withToken: 'Usar o token de administração',
      locked: 'Ninguém usou este ecrã durante dez minutos, por isso foi bloqueado. Inicie sessão de novo.',
    },
    actor: {
      title: 'Quem é?',
      text: 'Cada ação fica registada com este nome.',
      label: 'O seu nome',
      submit: 'Sou eu',
      empty: 'Escreva primeiro o seu nome.',
      unknown: 'Quem é?',
      change: (name) => `Em serviço: ${name}. Mudar`,
    },
  },

  shell: {
    skip: 'Saltar para o conteúdo',
    navigation: 'Ecrãs',
    more: 'Mais',
    loading: 'A carregar…',
    failed: 'Não foi possível carregar este ecrã. Veja se a caixa está ligada.',
    again: 'Tentar de novo',
    newer: 'Há uma versão nova desta página.',
    restart: 'Recarregar agora',
    connecting: 'A ligar…',
    live: 'Ao vivo',
    old: (age) => `há ${age}`,
    retry: (seconds) => `nova tentativa em ${seconds} s`,
    staleTitle: (age) => `Estes números são de há ${age}.`,
    staleText: 'A caixa não responde. Até responder, nada aqui é ao vivo. As portas continuam a funcionar.',
    staleSpoken: 'Os números são antigos: a caixa não responde.',
    unreadable: 'Esta página é antiga demais para a caixa. Recarregue-a.',
    glassTitle: 'Alguém usou o token de administração.',
    glassText: (age, address) => `Há ${age}, de ${address}. Se não foi ninguém da equipa, substitua-o no ecrã Equipa.`,
    glassLog: 'Abrir o diário',
    glassSeen: 'Tomei nota',
    emergencies: 'Emergências',
    emergencyAt: (kind, gate) => `${kind} em ${gate}`,
    moreEmergencies: (more) => `e mais ${more}`,
    nobody: 'ainda sem resposta',
    sealTitle: 'O registo deixou de ser selado.',
    sealText: 'Deixe o registo como está e verifique-o.',
    soundBlocked: 'O navegador bloqueia o som de alarme.',
    allowSound: 'Permitir som',
    waiting: (n) => `${n} à espera`,
    sound: {
      on: 'Som de alarme ligado. Desligar',
      off: 'Som de alarme desligado. Ligar',
      blocked: 'O navegador bloqueia o som de alarme. Permitir',
    },
    mode: {
      change: (mode) => `Modo ${mode}. Mudar`,
      why: (mode, reason, age) => `Modo ${mode} há ${age}: ${reason} Mudar`,
      cutOff: 'Sem certeza das outras portas',
      degradedFor: (age) => `DEGRADED há ${age}.`,
      goesOn: 'As portas continuam a funcionar; usos duplos são assinalados depois.',
      boxes: 'Ver as caixas',
    },
  },

  widgets: {
    close: 'Fechar',
    closeNotice: 'Fechar este aviso',
    cancel: 'Cancelar',
    reason: 'Motivo',
    recordedAs: (name) => `Registado como ${name}.`,
  },

  incidentKinds: {
    crush: 'Aperto',
    medical: 'Médico',
    fire: 'Fogo',
    need_staff: 'Reforços',
    security: 'Segurança',
    lost_child: 'Criança perdida',
    access: 'Acessos',
    equipment: 'Equipamento',
  },

  incidentStates: {
    open: 'Sem resposta',
    acknowledged: 'Vista',
    assigned: 'Equipa enviada',
    resolved: 'Resolvida',
    cancelled: 'Falso alarme',
  },

  sealRefusal: {
    entries_changed: 'Foram alteradas entradas que estavam seladas.',
    entries_missing: 'Faltam entradas que estavam seladas.',
    seal_changed: 'O selo mais recente foi alterado.',
    seal_missing: 'Falta um selo.',
  },
}
