/** The sentences of the check before doors, in Portuguese. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Antes de abrir',
  start: 'Começar a ler',
  startAnyway: 'Começar a ler mesmo assim',
  ready: 'Está tudo pronto.',
  missing: (names) => `Por resolver: ${names.join(', ')}.`,
  names: {
    camera: 'Câmara',
    storage: 'Memória',
    clock: 'Relógio',
    manifest: 'Lista de bilhetes',
    certificate: 'Certificado',
    sound: 'Som',
    'wake-lock': 'Ecrã sempre ligado',
    link: 'Box',
    boxes: 'Outras boxes',
    offline: 'Funciona sem rede',
  },
  states: { ok: 'Pronto', warn: 'Verificar', fail: 'Não está pronto', checking: 'A verificar' },
  checking: 'A verificar.',
  playSound: 'Tocar um som',
  heardIt: 'Ouvi',
  tryCamera: 'Experimentar outra vez a câmara',
  camera: {
    ok: (label, width, height) => `${label || 'Câmara'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Ouviu o som.',
    muted: 'O volume desta aplicação está a zero.',
    remedy: 'Ouça o som e confirme que o ouviu.',
    mutedRemedy: 'Aumente-o em Opções.',
    notPlayed: 'Ainda não o ouviu.',
    none: 'Este navegador não reproduz sons.',
    noneRemedy: 'Olhe para o ecrã a cada leitura ou use outro navegador.',
  },
  wakeLock: {
    ok: 'O ecrã fica ligado enquanto lê bilhetes.',
    fail: 'Este telemóvel desliga o ecrã sozinho.',
    remedy: 'Ponha o tempo limite do ecrã no máximo e desligue a poupança de bateria.',
  },
  offline: {
    ok: 'Todos os ficheiros estão neste telemóvel. As leituras offline só são enviadas com a aplicação aberta.',
    checking: 'A guardar os ficheiros neste telemóvel.',
    fail: 'Alguns ficheiros ainda não estão neste telemóvel.',
    remedy: 'Mantenha esta página aberta na rede da box durante um minuto.',
  },
}
