/** Text under the ticket and on the screens beside it, in Portuguese. */
import type { screenWords as English } from '../en/screens.ts'

import { speech } from './speech.ts'

const { count } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'Vincular a este telemóvel',
    why: 'Até o fazer, quem tiver o seu link tem o seu bilhete.',
    ask: 'Vincular a este telemóvel',
    heading: 'Vincular este bilhete a este telemóvel?',
    does: [
      'A partir de agora, só este telemóvel mostra o bilhete.',
      'Os links que reencaminhou deixam de funcionar, e um código impresso também pode deixar.',
      'Não o consegue desfazer por si. Se perder este telemóvel, a organização pode libertar o bilhete.',
      'Não o faça numa janela privada: a chave perde-se quando a fechar.',
    ],
    weak: 'Sem https, a chave fica sem proteção neste navegador. Se puder, abra o seu link com https.',
    confirm: 'Vincular agora',
    working: 'A vincular',
    mine: 'Vinculado a este telemóvel.',
    mineWeak:
      'Vinculado a este telemóvel. A chave está sem proteção neste navegador, o que é menos seguro do que com https.',
    unsure: 'Ainda por confirmar. Fique online um momento antes de ir para a porta.',
    released: 'A organização libertou este bilhete. O link volta a funcionar, e pode vinculá-lo de novo.',
    unkept:
      'Este navegador não consegue guardar chaves, por isso nada foi vinculado. Abra o link numa janela normal ou noutro navegador.',
  },

  install: {
    title: 'Tenha-o sempre à mão',
    text: 'Ponha o bilhete no ecrã principal, para o abrir sem procurar a mensagem.',
    ios: 'Copie primeiro o seu link. Depois, no Safari, toque em Partilhar e em «Adicionar ao ecrã principal». Abra o ícone novo e cole lá o link: ainda não conhece o seu bilhete. Faça-o antes de vincular o bilhete a este telemóvel.',
    button: 'Adicionar ao ecrã principal',
    dismiss: 'Não, obrigado',
  },

  nearby: {
    heading: 'Perto',
    from: 'Estou em',
    lastSeen: 'A minha última porta',
    firstGate: 'A minha entrada',
    stepFree: 'Só caminhos sem degraus',
    show: 'Mostrar',
    everything: 'Tudo',
    list: 'Lista',
    map: 'Mapa',
    views: 'Vista',
    looking: 'A carregar',
    none: 'Não há nada deste tipo onde o seu bilhete dá acesso.',
    noneStepFree: 'Não se conhece caminho sem degraus. Desligue a opção para ver o resto, ou pergunte à equipa.',
    noMap: 'Este recinto ainda não tem mapa. Pergunte à equipa.',
    failed: 'Isto precisa de rede. Tente de novo quando estiver online.',
    old: (age) => `Sem rede. Última atualização: ${age}.`,
    minutes: (n) => `${n} min`,
    metres: (n) => `${n} m`,
    via: (names) => `por ${names}`,
    stepFreeYes: 'Sem degraus',
    stepFreeNo: 'Tem degraus',
    stepFreeUnverified: 'Por verificar se há degraus',
    to: (name) => `Caminho para ${name}`,
    larger: 'Maior',
    whole: 'Mapa inteiro',
    mapTitle: (event) => `Mapa de ${event}`,
    badMap: 'Não é possível mostrar o mapa. Volta a carregar quando estiver online.',
  },

  more: {
    heading: 'Bilhetes e definições',
    licences: 'Licenças desta aplicação',
    add: 'Adicionar um bilhete',
    paste: 'Link do bilhete',
    pasteHint: 'Copie o link da mensagem da organização e cole-o aqui.',
    addButton: 'Adicionar bilhete',
    malformed: 'O link não está completo. Copie-o todo da mensagem da organização: contém #t=.',
    remove: 'Remover',
    removeLabel: (name) => `Remover ${name}`,
    removeHeading: (name) => `Remover ${name} deste telemóvel?`,
    removeText: 'O bilhete continua válido, e o link volta a abri-lo.',
    removeMine:
      'Este telemóvel tem a única chave deste bilhete. Sem ela, ninguém o pode mostrar até a organização o libertar.',
    removeConfirm: 'Remover bilhete',
    link: 'Mostrar link',
    linkLabel: (name) => `Mostrar link de ${name}`,
    linkHeading: 'O link do seu bilhete',
    linkText: 'Quem tem este link tem o bilhete. Não o mostre a ninguém.',
    linkField: 'Link',
    copy: 'Copiar link',
    copied: 'Copiado',
    theme: 'Aspeto',
    language: 'Idioma',
    themes: { auto: 'Como o telemóvel', light: 'Claro', dark: 'Escuro' },
    state: 'Este telemóvel',
    savedYes: 'Guardado. Abre sem rede.',
    savedNo: 'A guardar para usar sem rede.',
    savedNever:
      'Esta página funciona enquanto estiver aberta. Para a reabrir precisa de rede, porque foi aberta sem https.',
    updated: (age) => `Bilhete atualizado: ${age}.`,
    clockRight: 'O relógio está certo.',
    newer: 'Há uma versão nova.',
    restart: 'Atualizar agora',
  },

  news: {
    heading: 'Da organização',
    none: 'Sem mensagens agora.',
    severity: { info: 'Informação', warning: 'Atenção', emergency: 'Emergência' },
    zones: (names) => `Para ${names}`,
    until: (time) => `Até ${time}`,
    checked: 'Assinada pela organização',
    hidden: (n) =>
      count(n, {
        one: '# mensagem não é mostrada: não está assinada pela organização deste bilhete.',
        other: '# mensagens não são mostradas: não estão assinadas pela organização deste bilhete.',
      }),
    noKey:
      'Falta uma parte do seu link, por isso as mensagens não podem ser verificadas nem mostradas. Abra o link completo outra vez.',
    all: 'Todas as mensagens',
  },

  occasion: {
    heading: 'Quando e onde',
    begins: 'Início',
    doors: 'Abertura de portas',
    place: 'Local',
    entrances: 'Entrada',
  },

  history: {
    admitted: (checkpoint, time) => `Já está dentro: ${checkpoint}, ${time}`,
    heading: 'Por onde passou',
    none: 'Nada ainda. As portas por onde passar aparecem aqui.',
    in: (checkpoint) => `Entrada: ${checkpoint}`,
    out: (checkpoint) => `Saída: ${checkpoint}`,
  },
}
