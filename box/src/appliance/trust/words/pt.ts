import type { TrustWords } from './en.ts'

export const pt: TrustWords = {
  title: (event) => `Confiar na box · ${event}`,
  heading: 'Este dispositivo confia na box?',
  lead: 'Pode ler bilhetes assim que conhecer o certificado desta box. São dois minutos, uma vez por dispositivo.',
  states: {
    looking: 'A verificar…',
    yes: 'Sim. Este dispositivo confia na box.',
    no: 'Ainda não. Comece pelo passo 1.',
    half: 'Ainda não. O certificado foi transferido aqui: falta um dos passos depois do primeiro.',
    away: 'A box não responde. O dispositivo está na rede da box? Desligue os dados móveis.',
    elsewhere: 'Este convite é de outra box. Peça um novo à sala de controlo.',
  },
  again: 'Verificar de novo',
  on: 'Continuar',
  which: 'Que dispositivo é este?',
  download: 'Transferir o certificado',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Toque no botão no Safari e depois em «Permitir».', title: 'Safari', mark: 'Permitir' },
        {
          text: 'Abra Definições, toque em «Perfil descarregado» e depois em «Instalar».',
          title: 'Definições',
          mark: 'Perfil descarregado',
        },
        {
          text: 'Depois Geral, Informações e, no fundo, «Definições de confiança de certificados»: ative-o. Sem este passo nada muda.',
          title: 'Definições de confiança de certificados',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Defina um bloqueio de ecrã, se não houver. Depois toque no botão.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Definições, Segurança, «Encriptação e credenciais», «Instalar um certificado», «Certificado da AC». Não está lá? Procure «certificado da AC» nas definições.',
          title: 'Instalar um certificado',
          mark: 'Certificado da AC',
        },
        { text: 'Avance apesar do aviso e escolha o ficheiro.', title: 'Transferências', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox no Android',
      steps: [
        {
          text: 'O Firefox não usa por si os certificados do telemóvel. Leia o código outra vez e abra o link no Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Outro dispositivo',
      steps: [
        { text: 'Carregue no botão.' },
        {
          text: 'Windows: abra o ficheiro, «Instalar certificado», «Computador local», «Autoridades de certificação de raiz fidedigna». Mac: abra o ficheiro e, no Acesso a Porta-chaves, escolha «Confiar sempre».',
        },
        {
          text: 'Firefox e Linux: procure «certificados» nas definições do navegador, depois Autoridades, Importar, e confie nele para sites. Reinicie o navegador.',
        },
      ],
    },
  },
  back: 'Volte a esta página: ela verifica sozinha.',
  compare: {
    title: 'É o certificado certo?',
    text: 'Alguém nesta rede pode ter alterado esta página. O dispositivo mostra a impressão digital (SHA-256) nos detalhes do certificado: tem de ser a da folha impressa, ou a da sala de controlo, em Definições. Esta página diz:',
  },
  noScript:
    'Sem JavaScript esta página não consegue verificar. Siga os passos do seu dispositivo e abra o convite outra vez.',
}
