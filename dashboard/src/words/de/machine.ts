/** Sentences about updates and backups of the appliance that have failed, in German. */
import type { BoxWords } from '../said.ts'

export const machineWords: BoxWords['machine'] = {
  other_machine: 'Dieses Update ist für eine andere Art von Gerät: das für diese Box nehmen.',
  signed_wrongly:
    'Als dieses Update signiert wurde, galt das Zertifikat dafür nicht: beim Hersteller der Software ein neues anfordern.',
  not_signed:
    'Dieses Update ist nicht vom Hersteller dieser Software signiert: nur von dort nehmen, von nirgends sonst.',
  damaged: 'Das ist kein Update, oder es ist beschädigt: noch einmal herunterladen, dann noch einmal senden.',
  too_large: 'Dieses Update ist größer als sein Platz in der Box: das für diese Box nehmen.',
  fell_back: 'Die neue Version lief nicht rechtzeitig, deshalb ist die Box zur vorigen zurückgekehrt.',
  older:
    'Dieses Update ist Version {version}, und die Box hat die neuere {running}: ein neueres wählen oder dieses trotzdem installieren.',
  own_unknown:
    'Die Box weiß nicht, welche Version läuft, und damit nicht, ob diese älter ist: eine neue Karte beschreiben und die letzte Sicherung einspielen.',
  update_too_large: 'Diese Datei ist größer als jedes Update: eine andere wählen.',
  no_room: 'In der Box ist nicht genug Platz frei: eine größere Karte nehmen.',
  broke_off: 'Es brach mittendrin ab: noch einmal versuchen.',
  unanswered: 'Das Gerät antwortet nicht: neu starten, dann noch einmal versuchen.',
  no_file: 'Die Datei ist nicht mehr da: noch einmal wählen.',
  no_stick: 'Der Stick ist nicht lesbar: herausziehen und neu einstecken, als FAT32 formatiert.',
  stick_full: 'Auf dem Stick ist nicht genug Platz: einen anderen nehmen.',
  stick_failed: 'Auf den Stick ließ sich nicht schreiben: einen anderen nehmen.',
  no_other: 'In der Box ist keine ältere Version, zu der es zurückgehen könnte.',
  failed: 'Das hat nicht geklappt ({detail}): noch einmal versuchen, dann die Box neu starten.',
  failed_somehow: 'Das hat nicht geklappt: noch einmal versuchen, dann die Box neu starten.',
  no_backup: 'Die Sicherung ging nicht: den freien Platz prüfen, dann noch einmal versuchen.',
  update_empty: 'Diese Datei ist leer: noch einmal wählen.',
  not_on_stick: 'Dieses Update ist nicht mehr auf dem Stick: den Stick neu einstecken.',
  stick_absent: 'In der Box steckt kein Stick: einen einstecken, als FAT32 formatiert.',
  other_failed: 'Die andere Version ist beim letzten Versuch nicht gestartet: stattdessen ein Update installieren.',
  recipient_bad:
    'Empfänger {number} ist kein gültiger öffentlicher Schlüssel von age. Er beginnt mit age1: mit „age-keygen -y“ noch einmal kopieren.',
  machine_unasked: 'Die Box erreicht das Gerät darunter nicht: die Box neu starten, dann noch einmal versuchen.',
  machine_stops: 'Die Box fährt gerade herunter: noch einmal versuchen, wenn sie wieder läuft.',
  clock_strange: 'Das Datum dieses Geräts ist falsch: zuerst dessen Uhr stellen.',
}
