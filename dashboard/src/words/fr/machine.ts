/** Sentences about updates and backups of the appliance that have failed, in French. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Cette mise à jour est pour un autre type de machine : prenez celle de ce boîtier.',
  signed_wrongly:
    'Le certificat de cette mise à jour n’était pas valable quand elle a été signée : demandez-en une nouvelle à l’auteur du logiciel.',
  not_signed: 'Cette mise à jour n’est pas signée par l’auteur de ce logiciel : ne la prenez que chez lui.',
  damaged: 'Ce n’est pas une mise à jour, ou elle est abîmée : téléchargez-la de nouveau, puis renvoyez-la.',
  too_large: 'Cette mise à jour est trop grande pour sa place dans le boîtier : prenez celle de ce boîtier.',
  fell_back: 'La nouvelle version n’a pas confirmé à temps qu’elle marche ; le boîtier est revenu à la précédente.',
  older:
    'Cette mise à jour est la version {version}, et le boîtier a la {running}, plus récente : prenez-en une plus récente, ou installez-la quand même.',
  own_unknown:
    'Le boîtier ne sait pas quelle version tourne, ni si celle-ci est plus ancienne : écrivez une nouvelle carte et restaurez la dernière sauvegarde.',
  update_too_large: 'Ce fichier est plus grand que toute mise à jour : choisissez-en un autre.',
  no_room: 'Il n’y a pas assez de place libre dans le boîtier : prenez une carte plus grande.',
  broke_off: 'Cela s’est interrompu en route : réessayez.',
  unanswered: 'La machine ne répond pas : redémarrez-la, puis réessayez.',
  no_file: 'Le fichier n’est plus là : choisissez-le de nouveau.',
  no_stick: 'La clé USB est illisible : retirez-la et remettez-la, formatée en FAT32.',
  stick_full: 'Il n’y a pas assez de place sur la clé USB : prenez-en une autre.',
  stick_failed: 'Impossible d’écrire sur la clé USB : prenez-en une autre.',
  no_other: 'Il n’y a pas de version plus ancienne dans le boîtier.',
  failed: 'Ça n’a pas marché ({detail}) : réessayez, puis redémarrez le boîtier.',
  failed_somehow: 'Ça n’a pas marché : réessayez, puis redémarrez le boîtier.',
  no_backup: 'La sauvegarde n’a pas pu se faire : voyez la place libre, puis réessayez.',
  update_empty: 'Ce fichier est vide : choisissez-le de nouveau.',
  not_on_stick: 'Cette mise à jour n’est plus sur la clé USB : remettez la clé.',
  stick_absent: 'Il n’y a pas de clé USB dans le boîtier : mettez-en une, formatée en FAT32.',
  other_failed: 'L’autre version n’a pas démarré au dernier essai : installez plutôt une mise à jour.',
  recipient_bad:
    'Le destinataire {number} n’est pas une clé publique age valable. Elle commence par age1 : recopiez-la depuis « age-keygen -y ».',
  machine_unasked: 'Le boîtier ne peut rien demander à la machine : redémarrez-le, puis réessayez.',
  machine_stops: 'Le boîtier est en train de s’arrêter : réessayez quand il sera revenu.',
  clock_strange: 'La date de cet appareil est fausse : mettez-le d’abord à l’heure.',
}
