/** The sentences of the check before doors, in Italian: loaded with its screen. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Prima dell’apertura',
  start: 'Inizia a scansionare',
  startAnyway: 'Inizia comunque',
  ready: 'È tutto pronto.',
  missing: (names) => `Non pronto: ${names.join(', ')}.`,
  names: {
    camera: 'Fotocamera',
    storage: 'Memoria',
    clock: 'Orologio',
    manifest: 'Lista dei biglietti',
    certificate: 'Certificato',
    sound: 'Suono',
    'wake-lock': 'Schermo sempre acceso',
    link: 'Box',
    boxes: 'Altri box',
    offline: 'Funziona senza rete',
  },
  states: { ok: 'Pronto', warn: 'Da controllare', fail: 'Non pronto', checking: 'Controllo' },
  checking: 'Controllo in corso.',
  playSound: 'Prova il suono',
  heardIt: 'L’ho sentito',
  tryCamera: 'Riprova la fotocamera',
  camera: {
    ok: (label, width, height) => `${label || 'Fotocamera'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Suono sentito.',
    muted: 'Il volume di questa app è a zero.',
    remedy: 'Prova il suono, poi conferma di averlo sentito.',
    mutedRemedy: 'Alzalo in Opzioni.',
    notPlayed: 'Non ancora sentito.',
    none: 'Questo browser non riproduce suoni.',
    noneRemedy: 'Guarda lo schermo a ogni scansione o usa un altro browser.',
  },
  wakeLock: {
    ok: 'Lo schermo resta acceso mentre scansioni.',
    fail: 'Questo telefono spegne lo schermo da solo.',
    remedy: 'Imposta lo spegnimento dello schermo sul tempo più lungo e disattiva il risparmio energetico.',
  },
  offline: {
    ok: 'Tutti i file sono su questo telefono. Le scansioni offline partono solo con l’app aperta.',
    checking: 'Salvataggio dei file su questo telefono.',
    fail: 'Alcuni file non sono ancora su questo telefono.',
    remedy: 'Tieni aperta questa pagina per un minuto sulla rete del box.',
  },
}
