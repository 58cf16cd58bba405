/** Sentences about a pretix that cannot be read, told or connected, in French. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix répond : « {words} ».',
  certificate_name: 'Le certificat de {host} est à un autre nom : prenez l’adresse qu’il indique, ou corrigez-le.',
  certificate_time:
    'Le certificat de {host} n’est pas valable en ce moment ({why}) : renouvelez-le, ou réglez l’heure du boîtier.',
  certificate_unknown:
    'Le boîtier ne fait pas confiance à l’autorité qui a signé le certificat de {host} ({why}) : si c’est une autorité privée, donnez son fichier PEM à la connexion.',
  no_address: '{host} est introuvable : vérifiez l’adresse et le DNS du boîtier.',
  port_closed: 'Rien ne répond à {host} : vérifiez que pretix tourne, et le port.',
  no_answer: '{host} est injoignable ({why}) : vérifiez le réseau.',
  timed_out: '{host} n’a pas tout envoyé en {minutes} minutes : réessayez plus tard.',
  token_refused:
    'pretix refuse le jeton : créez-en un nouveau là-bas et reconnectez. Ce qui se passe aux portes attend.',
  token_forbidden:
    'Le jeton n’a pas accès à {path} : donnez ce droit à son équipe ou à son appareil dans pretix (voir les commandes, enregistrements), ou prenez un autre jeton.',
  token_no_checkins:
    'Le jeton ne peut pas inscrire les entrées : donnez à son équipe le droit d’enregistrer les commandes, ou à l’appareil le profil « full ». Ce qui s’est passé attend.',
  token_no_organizer: 'Le jeton ne voit aucun organisateur : donnez accès à son équipe ou à son appareil dans pretix.',
  token_no_event: 'Le jeton ne voit aucun événement : donnez accès à son équipe ou à son appareil dans pretix.',
  token_missing: 'Il manque le jeton, et le boîtier n’en a pas pour cette adresse : saisissez-le.',
  token_of_device:
    'pretix ne connaît pas ce jeton d’appareil, ou il a déjà servi : créez un nouvel appareil dans pretix et prenez son jeton.',
  busy: 'pretix est surchargé. Le boîtier réessaie bientôt.',
  busy_ask_again: 'pretix est surchargé : réessayez dans une minute.',
  fails: 'pretix a un problème de son côté (HTTP {status}). Le boîtier réessaie bientôt.',
  fails_ask_again: 'pretix a un problème de son côté (HTTP {status}) : réessayez plus tard.',
  redirects: '{host} renvoie vers une autre adresse : connectez avec celle-là.',
  not_pretix:
    'Ce n’est pas pretix qui répond à {host} (HTTP {status}) : vérifiez l’adresse, et s’il y a un proxy ou une page de connexion devant.',
  not_json: 'Une réponse ne vient pas de pretix (HTTP {status}) : voyez ce qui se trouve devant.',
  not_there:
    'pretix n’a pas {path}, ou le jeton ne le voit pas : vérifiez les noms, et les droits de son équipe ou de son appareil.',
  not_taken: 'pretix n’accepte pas {path} (HTTP {status}).',
  list_too_long: '{host} a plus de {most} éléments sous {path} : c’est trop pour le boîtier.',
  address_strange: 'Ce n’est pas une adresse web : écrivez-la comme https://pretix.example.',
  address_more:
    'L’adresse contient quelque chose de trop : écrivez-la comme https://pretix.example, sans utilisateur, ? ni #.',
  address_http: 'En http, le réseau verrait le jeton : écrivez l’adresse avec https.',
  no_dates: 'Cet événement n’a pas de dates à choisir.',
  series_empty: 'La série n’a pas encore de dates : ajoutez-les d’abord dans pretix.',
  date_unknown: 'La série n’a pas de date {date}. Choisissez l’une de celles-ci : {dates}.',
  list_gone:
    'La liste d’enregistrement {list} n’existe plus dans pretix : choisissez-en une autre pour ses points de contrôle dans pretix.yaml.',
  event_gone: 'pretix ne connaît plus cet événement : reconnectez-le. Ce qui s’est passé aux portes attend.',
  other_shop:
    'Ce boîtier suit déjà la base de données d’une boutique (shop.yaml) et n’en accepte qu’une : retirez d’abord ce fichier, ou prenez un autre boîtier.',
  connection_damaged: 'Le fichier de connexion est abîmé : connectez pretix à nouveau.',
  authority_unreadable: 'Le fichier de l’autorité est illisible ({why}) : {path}.',
  authority_missing:
    'Ce fichier ne contient pas de certificat : prenez le fichier PEM de l’autorité qui a signé celui de pretix.',
  event_not_proposed: 'Ce que pretix contient ne suffit pas pour un événement : créez-le d’abord à l’écran Événement.',
  box_fails: 'Le boîtier n’a pas pu reprendre ce que pretix envoie : la raison est dans son fichier de log.',
  box_cannot_write: 'Le boîtier ne peut pas écrire ses fichiers ({why}) : voyez ses dossiers et son disque.',
}
