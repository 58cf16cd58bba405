/** Sentences about lines of a guest list, and about limits of sales, in Italian. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'La riga non ha nome: mettilo all’inizio.',
  name_long: 'Il nome supera i {most} caratteri: è un solo ospite?',
  name_strange: 'Il nome ha un carattere non stampabile: riscrivilo.',
  name_twice: '«{name}» è già alla riga {line}: togline una o scrivi lì +N.',
  plus_twice: 'Due numeri in una riga: scrivi +N una volta sola, per chi viene con {name}.',
  plus_large: '+{plus} è troppo per un ospite: {most} al massimo.',
  tier_strange: 'La categoria «{tier}» non esiste. Scrivi una di queste: {tiers}.',
  tier_twice: 'Due categorie in una riga: una riga per ogni ospite.',
  tier_open: 'Scegli la categoria delle righe senza.',
  list_long: 'Una lista ha al massimo {most} ospiti: da qui cominciane un’altra.',
  tier_full: '{tier}: ancora {left} su {most} in vendita all’ingresso, richiesti: {wanted}.',
  zone_full: '{zone}: dentro ci sono {inside} persone su {most}, e ne arriverebbero altre {coming}.',
}
