/** Texts of the screen Before doors, in Portuguese. */
import type { readyWords as English } from '../en/ready.ts'
import { count } from './actions.ts'
import { speech } from './speech.ts'

const left = () => ''

const connected = (n: number) => speech.count(n, { one: '# leitor ligado', other: '# leitores ligados' })

export const readyWords: typeof English = {
  lead: 'O que tem de estar em ordem antes de chegar gente, e uma folha para cada porta.',
  list: 'Tudo pronto?',
  standing: { ok: 'Em ordem', warn: 'Por fazer', ask: 'Perguntar' },
  remedy: (name) => `Abrir: ${name}`,
  byAdmin: 'Peça a um administrador.',
  whatIsLeft: 'O que falta antes de abrir',
  checks: {
    certificate: {
      name: 'Certificado',
      ok: () => 'Este dispositivo confia na box.',
      warn: () =>
        'Este dispositivo não confia na box: sem isso, nenhuma aplicação abre offline. Instale o certificado.',
      ask: () => 'Este navegador não diz se confia na box.',
    },
    publicName: {
      name: 'Nome público',
      ok: () => 'O certificado do nome público vale até depois do evento.',
      warn: () =>
        'O certificado do nome público falta, está atrasado, danificado ou acaba antes do fim do evento: as portas abrem na mesma, mas os navegadores vão avisar.',
      ask: left,
    },
    clock: {
      name: 'Relógio',
      ok: () => 'O relógio da box está certo.',
      warn: () =>
        'Nada acerta o relógio da box: compare-o com outro relógio, e deixe a máquina acertar a hora pela rede.',
      ask: left,
    },
    tickets: {
      name: 'Bilhetes',
      ok: (n) => speech.count(n, { one: '# bilhete importado.', other: '# bilhetes importados.' }),
      warn: () => 'Ainda sem bilhetes: importe o ficheiro da sua loja.',
      ask: left,
    },
    scanners: {
      name: 'Leitores',
      ok: (n) => `${connected(n)}.`,
      warn: (n) => `${connected(n)}, menos do que portas: emparelhe mais, e abra a aplicação em cada um.`,
      ask: left,
    },
    battery: {
      name: 'Baterias e relógios',
      ok: () => 'Todos os leitores têm bateria e a hora certa.',
      warn: (n) => `${count(n, 'leitor', 'leitores')} com bateria vazia ou relógio errado.`,
      ask: left,
    },
    map: {
      name: 'Mapa',
      ok: () => 'Há um mapa.',
      warn: (n) =>
        `${speech.count(n, { one: '# porta não está', other: '# portas não estão' })} no mapa: ninguém vê o caminho até lá. Acrescente o que falta no ecrã Evento.`,
      ask: () =>
        'As pessoas devem ver o caminho? Então desenhe ou importe um mapa no ecrã Evento. As portas funcionam sem ele.',
    },
    backup: {
      name: 'Cópia de segurança',
      ok: (n) => (n === 0 ? 'Cópia feita há menos de uma hora.' : `Cópia feita há ${count(n, 'hora')}.`),
      warn: () => 'Sem cópia nas últimas 24 horas: faça uma e guarde-a noutro lado.',
      ask: left,
    },
    stick: {
      name: 'Pen USB',
      ok: () => 'Há uma pen na box.',
      warn: () => 'Sem pen na box: as cópias não têm para onde ir.',
      ask: left,
    },
    paper: {
      name: 'Listas em papel',
      ok: () => 'Há uma lista impressa para cada porta.',
      warn: (n) =>
        `${speech.count(n, { one: '# lista impressa', other: '# listas impressas' })}: imprima uma para cada porta, para quando nada funcionar.`,
      ask: left,
    },
    links: {
      name: 'Links dos bilhetes',
      ok: left,
      warn: left,
      ask: () =>
        'As pessoas mostram o bilhete no telemóvel? Então cada uma precisa de um link; os códigos da loja valem mesmo sem ele. Este comando escreve todos os links num ficheiro (onde o escrever: box/docs/attendees.md, «Links»):',
    },
    rehearsal: {
      name: 'Ensaio',
      ok: () => 'Houve um ensaio nos últimos sete dias.',
      warn: () => 'Ainda sem ensaio: faça um, abaixo, com bilhetes e telemóveis verdadeiros.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Ensaio',
    lead: 'Telemóveis verdadeiros leem bilhetes verdadeiros e ninguém é contado. O registo diz apenas que se realizou.',
    steps: [
      'Inicie-o. Em 10 segundos, cada telemóvel emparelhado mostra «Ensaio».',
      'Leia alguns bilhetes, um deles duas vezes e outro na porta errada.',
      'Desligue a rede de um telemóvel e continue: ele decide sozinho.',
      'Termine-o aqui. A partir daí, todas as leituras contam.',
    ],
    start: 'Iniciar um ensaio',
    startAnyway: 'Nenhuma porta está aberta: iniciar',
    text: 'Os leitores desta box ensaiam: quem eles deixarem entrar não é contado. O ensaio termina sozinho quando o evento começa.',
    objections: {
      event_on: 'O evento já começou.',
      people_came: 'Entrou gente nos últimos 30 minutos.',
    },
    anyway:
      'Quem entra durante um ensaio falta em todas as contagens. Inicie-o apenas se nenhuma porta estiver aberta.',
    length: 'Duração',
    started: 'O ensaio está a decorrer.',
    end: 'Terminar o ensaio',
    ended: (scans, scanners) =>
      `Ensaio terminado: ${speech.count(scans, { one: '# código lido', other: '# códigos lidos' })} com ${speech.count(scanners, { one: '# leitor', other: '# leitores' })}. A partir de agora, as leituras contam.`,
    until: 'Termina sozinho às',
    scanners: 'Leitores que participam',
    scans: 'Códigos lidos',
    meanwhile: 'Entradas verdadeiras entretanto',
    byAdmin: 'Um administrador pode iniciá-lo.',
    band: (actor) => `Ensaio iniciado por ${actor}: os leitores não contam ninguém.`,
    left: (time) => `Termina em ${time}.`,
    real: (n) => `Entradas verdadeiras entretanto: ${n}, por leitores que não participam.`,
  },
  sheets: {
    title: 'Folhas para as portas',
    lead: 'Uma página por porta, com um código por telemóvel. Quem tem a folha pode emparelhar um telemóvel: guarde-a como uma chave.',
    phones: 'Telemóveis por porta',
    make: 'Criar as folhas',
    print: 'Imprimir',
    leave: 'Imprima-as antes de sair deste ecrã: ele não as guarda. As folhas criadas antes continuam válidas.',
    paper: 'As folhas como saem no papel',
    heading: (gate) => `Leitor para ${gate}`,
    until: (at) => `Válido até ${at}. Cada código emparelha um telemóvel.`,
    network: (host) => `Ligue o telemóvel à rede da box (${host}).`,
    trust:
      'Não há botão «Emparelhar»? Então o telemóvel ainda não confia na box, e a página mostra os passos com imagens. Em resumo:',
    fingerprint: 'O telemóvel mostra a impressão digital (SHA-256) do certificado que instala. Tem de ser esta:',
    iphone:
      'iPhone: transfira-o no Safari e permita o perfil. Definições, Perfil descarregado, Instalar. Depois Geral, Informações, Definições de confiança de certificados: ative-o.',
    android:
      'Android: defina um bloqueio de ecrã. Definições, Segurança, Encriptação e credenciais, Instalar um certificado, Certificado da AC, e escolha o ficheiro.',
    scan: 'Abra a câmara, aponte-a a um código que ninguém usou, abra o link e toque em Emparelhar.',
    phone: (n) => `Telemóvel ${n}`,
    label: (gate, n) => `Convite para ${gate}, telemóvel ${n}`,
    fails: 'Se falhar',
    failing: [
      'A página não abre: o telemóvel está noutra rede, ou usa dados móveis. Desligue os dados móveis.',
      'O navegador avisa: o telemóvel ainda não confia na box. Leia o código outra vez e siga os passos da página.',
      '«Este convite já foi usado»: use o código seguinte, ou peça uma folha nova à sala de controlo.',
      'A câmara fica preta: autorize a câmara para esta página nas definições do navegador.',
      'Nada resulta: leia com outro telemóvel, e deixe entrar pela lista em papel.',
    ],
  },
}
