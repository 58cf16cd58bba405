/** Sentences for the codes that the box sends, in French. */
import { settingWords } from '@gatehouse/proto/setting-words/fr.ts'
import type { BoxWords } from '../said.ts'
import { actRefusalWords } from './act-refusals.ts'
import { certificateWords } from './certificate.ts'
import { evacuationSheetWords } from './evacuation-sheet.ts'
import { eventFileWords } from './event-file.ts'
import { guestListWords } from './guest-list.ts'
import { guideRefusalWords } from './guide-refusals.ts'
import { linkWords } from './link.ts'
import { machineWords } from './machine.ts'
import { mappingWords } from './mapping.ts'
import { paperListWords } from './paper-list.ts'
import { pretixWords } from './pretix.ts'
import { staffRefusalWords } from './staff-refusals.ts'
import { ticketFileWords } from './ticket-file.ts'
import { venueWords } from './venue.ts'

export const boxWords: BoxWords = {
  mode: {
    in_contact: 'Les boîtiers sont en contact.',
    forced: 'Le PC sécurité l’a forcé.',
    votes_unreachable: 'La plupart des boîtiers qui décident ne répondent pas.',
    authority_unknown: 'C’est peut-être un autre boîtier qui décide maintenant.',
    voters_unsynced: 'Les boîtiers qui décident ne confirment pas qu’ils enregistrent avant de répondre.',
    backfilling: 'Les boîtiers qui décident apprennent en ce moment qui est à l’intérieur.',
    confirming: {
      one: '# entrée est en cours de confirmation auprès des autres boîtiers.',
      other: '# entrées sont en cours de confirmation auprès des autres boîtiers.',
    },
    arriving: 'Des informations des autres boîtiers arrivent encore.',
    settling: 'Les boîtiers sont de nouveau en contact. Celui-ci attend dix secondes pour en être sûr.',
    refused: 'Ce boîtier ne peut pas utiliser ce qu’envoie {name}.',
    refused_more: { one: 'Même chose pour # autre boîtier.', other: 'Même chose pour # autres boîtiers.' },
    silent: '{name} : sans contact depuis {for_ms}.',
    silent_since_start: '{name} : sans contact depuis le démarrage de ce boîtier.',
    silent_more: { one: '# autre boîtier est sans contact.', other: '# autres boîtiers sont sans contact.' },
    no_server:
      'Aucun nats-server ne fonctionne sur ce boîtier : installez le paquet nats-server ou définissez GATEHOUSE_NATS_SERVER.',
    server_fails: 'Le nats-server de ce boîtier ne démarre pas.',
  },
  peer: {
    not_signed:
      'Ses messages ne sont pas signés. Si sa version est plus ancienne, mettez-la à jour. Sinon, une autre machine utilise son nom.',
    stranger: 'Une machine qui n’est pas sur la liste des boîtiers répond à sa place : trouvez laquelle.',
    forged: 'Une autre machine répond à sa place : trouvez laquelle.',
    other_key:
      'Ses messages sont chiffrés pour une autre liste de boîtiers. Ils seront lisibles dès que les deux auront la même liste.',
    misshapen:
      'Ce boîtier ne peut pas lire ce qu’il envoie. Si les versions diffèrent, mettez à jour la plus ancienne.',
    history_changed: 'Il a modifié des lignes déjà envoyées : gardez ses données et vérifiez son registre.',
    not_applied: 'Ses lignes ne peuvent pas être traitées ici. La raison est dans le fichier de log de ce boîtier.',
    copy_refused: 'La copie de son registre que possède {name} est refusée.',
    seal_unsigned: 'Son sceau n’est pas signé avec sa clé.',
    seal_differs: {
      one: 'Son sceau sur # ligne ne correspond pas à ce qu’il a envoyé.',
      other: 'Son sceau sur # lignes ne correspond pas à ce qu’il a envoyé.',
    },
    two_seals: {
      one: 'Il a signé deux sceaux différents sur # ligne.',
      other: 'Il a signé deux sceaux différents sur # lignes.',
    },
    other_event:
      'Il a un autre fichier d’événement : donnez le même aux deux et redémarrez celui qui a le plus ancien.',
  },
  boxes: {
    box_alone: 'Ce boîtier est seul : il n’y en a pas d’autre.',
    box_unlisted: 'Le boîtier {name} n’est plus dans la liste : regardez-la de nouveau.',
    last_box: 'Le dernier boîtier d’un événement ne peut pas être retiré.',
    box_outdated: '{name} a une version plus ancienne, qui ne chiffre rien : mettez-la d’abord à jour.',
    votes_already: '{name} décide déjà.',
    in_data_centre: '{name} est dans un centre de données : les boîtiers qui décident doivent être sur place.',
    no_vote: '{name} ne décide pas : il n’y a rien à remplacer.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Retiré à la porte.',
  },
  event: eventFileWords,
  map: venueWords,
  pretix: pretixWords,
  mapping: mappingWords,
  machine: machineWords,
  certificate: certificateWords,
  link: linkWords,
  paper: paperListWords,
  evacuation: evacuationSheetWords,
  guide: guideRefusalWords,
  setting: settingWords,
  file: ticketFileWords,
  sale: guestListWords,
  import: {
    code_missing: 'La ligne n’a pas de code : ajoutez-le ou supprimez la ligne.',
    code_rounded: 'Un tableur a arrondi le code (1.2E+15) : prenez le fichier tel que la boutique l’exporte.',
    code_error:
      'Un tableur a remplacé le code par une erreur ou par #### : prenez le fichier tel que la boutique l’exporte.',
    code_decimals: 'Le code finit par des décimales (123.0) : exportez-le comme texte.',
    code_is_date: 'Un tableur a transformé le code en date : prenez le fichier tel que la boutique l’exporte.',
    code_apostrophe: 'Le code commence par une apostrophe de tableur : enlevez-la ou exportez le code comme texte.',
    code_rotating: 'Ce code change à quelques secondes d’intervalle (G1:) : importez le code imprimé par la boutique.',
    code_lost_characters:
      'Des caractères du code ont été perdus à l’enregistrement : exportez de nouveau en CSV UTF-8.',
    code_invisible: 'Le code contient un caractère invisible : enlevez-le.',
    code_too_long: 'Le code dépasse {bytes} octets, trop pour être scanné : vérifiez la colonne.',
    code_formula: 'Le code était écrit comme une formule (="...") et a été lu sans elle.',
    code_blanks: 'Les espaces autour du code ont été enlevés.',
    code_scanner_marks: 'Ce qu’un lecteur ajoute à un code (]Q1, caractères de contrôle) a été enlevé.',
    code_twice: 'La ligne {row} a le même code : supprimez l’une des deux.',
    digits_rounded:
      'Tous les codes longs finissent par des zéros, arrondis par un tableur : prenez le fichier tel que la boutique l’exporte.',
    digits_short: 'Le code est plus court que les autres et aucun ne commence par 0 : comparez-le à un billet imprimé.',
    tier_missing: 'La ligne n’indique pas de catégorie : mettez l’une de {tiers}.',
    no_tier: '« {name} » ne correspond à aucune catégorie.',
    date_unreadable: '{column} « {text} » n’est pas une date : écrivez 2026-07-04 ou 2026-07-04 18:00.',
    dates_swapped: 'valid_until précède valid_from : corrigez l’un des deux.',
    not_a_date: '{column} n’est pas une date.',
    status_unknown: 'Le statut « {status} » n’existe pas : prenez l’un de {known}.',
    order_status_unknown: 'La commande a un statut inconnu (« {status} ») : récupérez-la de nouveau.',
    quantity:
      'La quantité est « {quantity} », mais un code fait entrer une personne : exportez une liste avec une ligne par personne.',
    row_cut_off: 'Le fichier s’arrête au milieu de cette ligne : téléchargez-le de nouveau.',
    cells_many:
      'La ligne a {cells} cellules et l’en-tête {header} : mettez entre guillemets les cellules qui contiennent un séparateur.',
    qr_incomplete: 'Le code n’est pas complet : copiez tout le texte du QR code.',
    position_broken: 'Ce billet d’une commande est incomplet : récupérez de nouveau les commandes de pretix.',
    position_no_secret:
      'Le billet est arrivé sans code : récupérez les commandes avec un jeton qui a le droit de voir les codes.',
    test_mode: 'La commande a été passée en mode test. Le billet permet quand même d’entrer.',
    checked_in: 'Déjà validé côté boutique. Le boîtier ne le sait pas et le laissera entrer.',
    mapping_unused: 'Aucun billet n’est « {product} » : vérifiez l’orthographe.',
    left_out_mapped: '« {name} » a été laissé de côté, comme choisi.',
    left_out_extra: '« {name} » n’est pas un billet et ne correspond à aucune catégorie : laissé de côté.',
    text_shortened: 'Un texte long a été raccourci.',
    answers_left_out: 'Les réponses sont trop longues et ont été laissées de côté.',
    questions_left_out: 'Les questions d’un produit sont trop longues et ont été laissées de côté.',
    products_many: 'Le fichier nomme plus de {most} produits : les autres n’ont que leur clé pour nom.',
    columns_unused: 'Colonnes non utilisées : {columns}. Connues : {known}.',
    no_status_column: 'Il n’y a pas de colonne « {column} » : les billets remboursés comptent comme valables.',
    pretix_list:
      'Une liste d’enregistrement pretix n’a ni billets bloqués ou annulés, ni durées de validité : importez les commandes de pretix si vous en avez besoin.',
    pretix_export:
      'Cet export pretix n’a ni billets bloqués ou annulés, ni durées de validité : importez les commandes de pretix si vous en avez besoin.',
    cancelled_left_out: 'Les billets annulés manquent dans cet export : annulez à la main ceux déjà importés.',
    pages_missing: 'Ce fichier n’est qu’une page sur plusieurs : récupérez les autres et importez-les toutes.',
    positions_missing:
      'Les billets annulés manquent : récupérez les commandes avec eux, sinon ceux déjà importés restent valables.',
    dates_many:
      'Les billets sont pour {n} dates et feraient tous entrer ici : récupérez les commandes d’une seule date.',
    list_never_admits:
      'La liste « {list} » de pretix ne fait jamais entrer {product}. Le boîtier ne connaît pas cette règle : donnez au produit une catégorie sans accès à cet endroit.',
    list_rules:
      'La liste « {list} » de pretix a pour {product} des règles non prises en charge ({asked}). Réglez de même entrées, horaires et zones de sa catégorie.',
    rules_more: 'D’autres règles de listes pretix concernent ce produit : seules les mille premières sont citées.',
    not_utf8: 'Le fichier n’est pas en UTF-8 et a été lu en Windows-1252 : vérifiez les noms accentués.',
    columns_not_kept:
      'Les colonnes choisies n’ont pas été gardées pour le prochain fichier : le boîtier ne peut pas écrire dans son dossier d’événement.',
    columns_unreadable:
      'Les colonnes choisies pour les fichiers précédents sont illisibles et n’ont pas servi : corrigez ou supprimez columns.json dans le dossier d’événement.',
  },
}
