/** Sentences about a paper list that was typed in, in Dutch. */
import type { BoxWords } from '../said.ts'

export const paperListWords: BoxWords['paper'] = {
  code_length: 'Een korte code heeft acht tekens: vergelijk die met het blad.',
  code_sign: 'Korte codes hebben geen 0, 1, I, L of O: vergelijk die met het blad.',
  code_check: 'Een teken klopt niet, of er zijn er twee verwisseld: vergelijk met het blad.',
  code_unknown: 'Geen ticket van dit evenement heeft deze code: vergelijk met het blad.',
  code_of_two: 'Twee tickets hebben deze code: zoek de persoon op naam.',
  other_gate: 'Deze ticketsoort is niet voor {checkpoint}: is dit het blad van een andere poort?',
  event_changed: 'Het evenement is intussen gewijzigd: het ticket of de ingang is er niet meer.',
  sheet_of_other: 'Dit ticket is van hetzelfde blad al voor een andere ingang ingetypt: een blad is voor één poort.',
  sheet_length: 'Een bladnummer heeft zes tekens: het staat boven aan elke pagina.',
  sheet_sign: 'Een bladnummer heeft geen 0, 1, I, L of O: het staat boven aan elke pagina.',
  sheet_check: 'Het bladnummer heeft een verkeerd teken: vergelijk met de bovenkant van de pagina.',
  used_too_long: 'Het blad was langer dan een dag in gebruik: controleer beide tijden en de dag.',
  entrance_gone: 'Deze ingang bestaat niet: laad de pagina opnieuw en kies een andere.',
  gate_gone: 'Deze poort bestaat niet: laad de pagina opnieuw en kies een andere.',
  closing: 'De box stopt: typ het blad opnieuw in als hij weer werkt.',
}
