/** Sentences about a paper list that was typed in, in French. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Un code court a huit caractères : comparez-le avec la feuille.',
  code_sign: 'Les codes courts n’ont ni 0, 1, I, L ni O : comparez avec la feuille.',
  code_check: 'Un caractère est faux, ou deux sont inversés : comparez avec la feuille.',
  code_unknown: 'Aucun billet de cet événement n’a ce code : comparez avec la feuille.',
  code_of_two: 'Deux billets ont ce code : cherchez la personne par son nom.',
  other_gate: 'Cette catégorie n’est pas pour {checkpoint} : est-ce la feuille d’une autre porte ?',
  event_changed: 'L’événement a changé depuis : le billet ou l’entrée n’existe plus.',
  sheet_of_other: 'Ce billet a été saisi depuis la même feuille pour une autre entrée : une feuille, une porte.',
  sheet_length: 'Un numéro de feuille a six caractères : il est en haut de chaque page.',
  sheet_sign: 'Un numéro de feuille n’a ni 0, 1, I, L ni O : il est en haut de chaque page.',
  sheet_check: 'Le numéro de feuille a un caractère faux : comparez avec le haut de la page.',
  used_too_long: 'La feuille a servi plus d’un jour : vérifiez les deux heures, et leur jour.',
  entrance_gone: 'Cette entrée n’existe pas : rechargez la page et choisissez-en une autre.',
  gate_gone: 'Cette porte n’existe pas : rechargez la page et choisissez-en une autre.',
  closing: 'Le boîtier s’arrête : saisissez à nouveau la feuille quand il aura redémarré.',
}
