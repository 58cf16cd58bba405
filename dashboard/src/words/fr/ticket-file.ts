/** Sentences about a ticket file of which nothing can be used, or nothing was, in French. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'La première ligne n’est pas celle d’un tableau : exportez les billets en CSV avec une ligne d’en-tête, ou en JSON depuis pretix.',
  header_is_ticket: 'La première ligne ressemble à un billet : ajoutez au-dessus une ligne avec les noms des colonnes.',
  quote_open:
    'Le guillemet de la cellule à la ligne {line} n’est jamais fermé : fermez-le, ou exportez à nouveau le fichier.',
  quote_inside:
    'La cellule à la ligne {line} contient un guillemet : doublez-le ("") et mettez la cellule entre guillemets, ou supprimez-le.',
  web_page: 'C’est une page web ou du XML : reconnectez-vous à la boutique et exportez les billets en CSV.',
  no_ticket: 'Il n’y a aucun billet dans le fichier : exportez-le à nouveau.',
  json_as_csv:
    'C’est un fichier JSON, et {format} se lit en CSV : choisissez le format « Détecter », ou le fichier CSV.',
  json_broken: 'Le fichier commence comme du JSON mais il est abîmé, peut-être tronqué : téléchargez-le à nouveau.',
  other_format: 'Le fichier ne ressemble pas à {format}, mais à {formats} : choisissez le format « Détecter ».',
  columns_many:
    'Le fichier a {columns} colonnes, et {most} au plus peuvent être associées : retirez celles dont aucune porte n’a besoin.',
  column_english: 'Cet export de {shop} n’a pas de colonne « {column} » : exportez à nouveau, avec {shop} en anglais.',
  column_absent:
    'Cet export de {shop} n’a pas de colonne « {column} » : ajoutez-la côté {shop}, et exportez à nouveau.',
  column_full_code:
    'Le fichier d’alf.io ne contient que la moitié de ce que montrent les billets : ajoutez une colonne « {column} » avec le texte complet de chaque QR code.',
  column_barcode:
    'La colonne « {column} » manque : ajoutez-la au rapport des participants d’Eventbrite (pas à celui des commandes), et exportez-le en anglais.',
  column_secret:
    'La colonne « {column} » manque : exportez à nouveau la liste d’enregistrement avec « Include QR-code secret » coché et pretix en anglais, ou les commandes en JSON.',
  column_needed:
    'Le fichier n’a pas de colonne « {column} » : ajoutez-la. Un billet a besoin au moins de « code » et de « tier ».',
  no_orders: 'Le fichier ne contient aucune commande : récupérez-les à nouveau dans pretix.',
  not_an_order:
    'L’élément {entry} du fichier JSON ne vient pas de pretix : récupérez les commandes de l’événement par son API (.../orders/).',
  tickets_busy:
    'Rien n’a été importé : autre chose modifiait sans cesse ces billets. Attendez que l’autre import ou la boutique ait terminé, puis réessayez.',
  interrupted: 'L’import a été interrompu et rien n’a été importé : importez le fichier à nouveau.',
  tiers_timed_out:
    'Ce fichier est trop long à parcourir : commencez sans lui, et importez-le une fois l’événement créé.',
}
