/** Sentences about lines of a guest list, and about limits of sales, in Dutch. */
import type { BoxWords } from '../said.ts'

export const guestListWords: BoxWords['sale'] = {
  no_name: 'De regel heeft geen naam: zet die vooraan.',
  name_long: 'De naam is langer dan {most} tekens: is dit één gast?',
  name_strange: 'De naam bevat een teken dat niet te printen is: typ hem opnieuw.',
  name_twice: '‘{name}’ staat al op regel {line}: haal er een weg of zet daar +N.',
  plus_twice: 'Twee getallen op één regel: schrijf één keer +N, voor wie met {name} meekomt.',
  plus_large: '+{plus} is te veel voor één gast: hooguit {most}.',
  tier_strange: 'Ticketsoort ‘{tier}’ bestaat niet. Schrijf een van deze: {tiers}.',
  tier_twice: 'Twee ticketsoorten op één regel: geef elke gast een eigen regel.',
  tier_open: 'Kies de ticketsoort voor regels zonder.',
  list_long: 'Een lijst heeft hooguit {most} gasten: begin hier een nieuwe.',
  tier_full: '{tier}: nog {left} van {most} aan de poort te koop, gevraagd: {wanted}.',
  zone_full: '{zone}: {inside} van {most} mensen zijn binnen, en er zouden er {coming} bij komen.',
}
