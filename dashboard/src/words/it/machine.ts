/** Sentences about updates and backups of the appliance that have failed, in Italian. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Questo aggiornamento è per un altro tipo di macchina: prendi quello per questo box.',
  signed_wrongly:
    'Quando questo aggiornamento è stato firmato, il suo certificato non era valido: chiedine uno nuovo a chi pubblica il software.',
  not_signed: 'Questo aggiornamento non è firmato da chi fa questo software: scaricalo solo da lì.',
  damaged: 'Non è un aggiornamento, o è danneggiato: scaricalo di nuovo e invialo un’altra volta.',
  too_large: 'Questo aggiornamento è troppo grande per il suo posto nel box: prendi quello per questo box.',
  fell_back: 'La nuova versione non ha confermato in tempo di funzionare, e il box è tornato alla precedente.',
  older:
    'Questo aggiornamento è la versione {version}, e il box ha la {running}, più recente: scegline uno più recente, o installalo lo stesso.',
  own_unknown:
    'Il box non sa quale versione ha, né se questa è più vecchia: scrivi una nuova scheda e ripristina l’ultimo backup.',
  update_too_large: 'Questo file è più grande di qualsiasi aggiornamento: scegline un altro.',
  no_room: 'Nel box non c’è abbastanza spazio libero: prendi una scheda più grande.',
  broke_off: 'Si è interrotto a metà: riprova.',
  unanswered: 'La macchina non risponde: riavviala, poi riprova.',
  no_file: 'Il file non c’è più: sceglilo di nuovo.',
  no_stick: 'La chiavetta non si legge: toglila e rimettila, formattata in FAT32.',
  stick_full: 'Sulla chiavetta non c’è abbastanza spazio: prendine un’altra.',
  stick_failed: 'Non si è potuto scrivere sulla chiavetta: prendine un’altra.',
  no_other: 'Nel box non c’è una versione più vecchia a cui tornare.',
  failed: 'Non ha funzionato ({detail}): riprova, poi riavvia il box.',
  failed_somehow: 'Non ha funzionato: riprova, poi riavvia il box.',
  no_backup: 'Il backup non è riuscito: guarda lo spazio libero, poi riprova.',
  update_empty: 'Il file è vuoto: sceglilo di nuovo.',
  not_on_stick: 'Questo aggiornamento non è più sulla chiavetta: rimettila.',
  stick_absent: 'Nel box non c’è una chiavetta: mettine una, formattata in FAT32.',
  other_failed: 'L’altra versione non si è avviata quando è stata provata: installa un aggiornamento.',
  recipient_bad:
    'Il destinatario {number} non è una chiave pubblica age valida. Inizia con age1: copiala di nuovo da «age-keygen -y».',
  machine_unasked: 'Il box non riesce a comandare la macchina: riavvialo, poi riprova.',
  machine_stops: 'Il box si sta spegnendo: riprova quando è di nuovo attivo.',
  clock_strange: 'La data di questo dispositivo è sbagliata: imposta prima il suo orologio.',
}
