/** The texts of the setup page, in Portuguese. */
import type { SetupWords } from './en.ts'

export const pt: SetupWords = {
  title: (event) => `${event} · Box Gatehouse`,
  lead: 'Esta é uma box Gatehouse. Verifica bilhetes à porta.',
  apps: 'Para onde ir',
  dashboard: { name: 'Sala de controlo', what: 'Para quem dirige o evento: números, convites, bilhetes, esta máquina' },
  scanner: { name: 'Leitor', what: 'Para a equipa às portas; abre-se com um convite' },
  wallet: { name: 'Bilhetes', what: 'Para o público, com o link que recebeu' },
  warning:
    'Se o navegador avisar de um certificado desconhecido: esta box criou o seu, e este dispositivo ainda não o conhece. A parte seguinte diz o que fazer.',
  trust: 'Fazer este dispositivo confiar na box',
  check: 'Ver se já confia, com os passos em imagens',
  certificate: 'Transferir o certificado (ca.crt)',
  compare:
    'Só vale para este evento e para endereços locais. Alguém nesta rede pode ter alterado esta página: compare a impressão digital com a que a sala de controlo mostra em Definições, ou com a que a box mostrou ao arrancar.',
  systems: [
    [
      'iPhone e iPad',
      'Transfira-o no Safari e permita o perfil. Abra Definições, toque em «Perfil descarregado» e depois em «Instalar». Vá então a Geral, Informações, «Definições de confiança de certificados» e ative-o: sem este segundo passo nada muda.',
    ],
    [
      'Android',
      'Defina um bloqueio de ecrã. Transfira-o, abra Definições, Segurança, «Encriptação e credenciais», «Instalar um certificado», «Certificado da AC», avance apesar do aviso e escolha o ficheiro. O Chrome passa a confiar nele; o Firefox, por si, não.',
    ],
    [
      'Windows',
      'Abra o ficheiro, escolha «Instalar certificado», «Computador local», «Colocar todos os certificados no seguinte arquivo», «Autoridades de certificação de raiz fidedigna». Reinicie o navegador.',
    ],
    [
      'Mac',
      'Abra o ficheiro: o Acesso a Porta-chaves recebe-o. Procure-o em Certificados, abra-o e, em Confiança, escolha «Confiar sempre».',
    ],
    [
      'Linux, e Firefox em qualquer sistema',
      'Nas definições do navegador procure Certificados, Autoridades, Importar: escolha o ficheiro e confie nele para sites.',
    ],
  ],
  box: 'Esta box',
  boxId: 'Nome',
  time: 'Relógio',
  times: {
    synced: 'acertado pela rede',
    unsynced: 'não acertado pela rede: acerte-o na sala de controlo, ou compare-o com um relógio',
  },
  addresses: 'Endereços',
  qr: (url) => `Abre ${url}`,
  problems: (n) => (n === 1 ? 'Uma definição não foi usada' : `${n} definições não foram usadas`),
  line: 'Linha',
  problemsLead:
    'A box está a funcionar. Corrija gatehouse.toml no cartão com qualquer computador, volte a pôr o cartão e ligue a box.',
}
