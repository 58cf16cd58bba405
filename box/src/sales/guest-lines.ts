/** Reads a guest list as people paste it: one guest a line, `name, +2, VIP`, from a mail, a note or a spreadsheet. Pure. */
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
import { MOST_GUEST_LINES, MOST_TICKETS_AT_ONCE } from '@gatehouse/proto/wire/sales.ts'

export interface GuestTier {
  readonly id: string
  readonly name: string
}

export interface GuestLine {
  /** From 1, as in the text. */
  line: number
  name: string | null
  /** The guest and those whom they bring. */
  tickets: number
  /** Id of the tier; null where there is no such tier. */
  tier: string | null
  problem: string | null
  /** The same as a code, for apps. */
  problem_coded?: Coded<CodeOf<'sale'>>
}

const LONGEST_NAME = 120

/** @param tier id of the tier of lines that name none */
export function readGuests(text: string, tier: string, tiers: readonly GuestTier[]): GuestLine[] {
  const lines = text.split(/\r\n|\r|\n/).map((line, i) => ({ line: i + 1, cells: cellsOf(line) }))
  const guests = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const read = guests.map(({ line, cells }) => readLine(line, cells, tier, tiers))
  const seen = new Map<string, number>()
  return read.map((guest, i) => {
    if (i >= MOST_GUEST_LINES) {
      return {
        ...guest,
        problem: `A list has ${MOST_GUEST_LINES} guests at most: start another list from here.`,
        problem_coded: coded('list_long', { most: MOST_GUEST_LINES }),
      }
    }
    const key = guest.name?.toLocaleLowerCase('en')
    const before = key === undefined ? undefined : seen.get(key)
    if (key !== undefined && before === undefined) seen.set(key, guest.line)
    if (guest.problem !== null || before === undefined) return guest
    return {
      ...guest,
      problem: `"${guest.name}" is in line ${before} already: remove one, or write +N there.`,
      problem_coded: coded('name_twice', { name: guest.name ?? '', line: before }),
    }
  })
}

/** A line of a spreadsheet has tabs; otherwise commas or semicolons part the cells, and quotation marks around one are taken off. */
function cellsOf(line: string): string[] {
  const cells = line.includes('\t') ? line.split('\t') : line.split(/[,;]/)
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
}

function readLine(line: number, cells: readonly string[], fallback: string, tiers: readonly GuestTier[]): GuestLine {
  const [name = '', ...rest] = cells
  const guest = {
    line,
    name: name === '' ? null : name,
    tickets: 1,
    tier: tiers.some(({ id }) => id === fallback) ? fallback : null,
  }
  const bad = (problem: string, problem_coded: Coded<CodeOf<'sale'>>) => ({ ...guest, problem, problem_coded })
  if (guest.name === null) return bad('The line has no name: put it first.', coded('no_name'))
  if (guest.name.length > LONGEST_NAME)
    return bad(
      `The name is longer than ${LONGEST_NAME} characters: is this one guest?`,
      coded('name_long', { most: LONGEST_NAME }),
    )
  if (/\p{Cc}/u.test(guest.name) || !guest.name.isWellFormed())
    return bad('The name has a character that cannot be printed: type it again.', coded('name_strange'))
  let hasPlus = false
  let hasTier = false
  for (const cell of rest.filter((text) => text !== '')) {
    const plus = /^\+?\s*(\d{1,6})$/.exec(cell)
    if (plus) {
      if (hasPlus)
        return bad(
          `Two numbers in one line: write "+N" once, for those whom ${guest.name} brings.`,
          coded('plus_twice', { name: guest.name }),
        )
      hasPlus = true
      guest.tickets = 1 + Number(plus[1])
      continue
    }
    const tier = tiers.find(({ id, name }) => [id, name].some((one) => one.toLowerCase() === cell.toLowerCase()))
    if (!tier) {
      const known = tiers.map(({ name }) => name).join(', ')
      guest.tier = null
      return bad(
        `There is no ticket type "${cell}": write one of ${known}.`,
        coded('tier_strange', { tier: cell, tiers: known }),
      )
    }
    if (hasTier) return bad('Two ticket types in one line: give each guest a line of their own.', coded('tier_twice'))
    hasTier = true
    guest.tier = tier.id
  }
  if (guest.tickets > MOST_TICKETS_AT_ONCE)
    return bad(
      `+${guest.tickets - 1} is too many for one guest: ${MOST_TICKETS_AT_ONCE - 1} at most.`,
      coded('plus_large', { plus: guest.tickets - 1, most: MOST_TICKETS_AT_ONCE - 1 }),
    )
  if (guest.tier === null) return bad('Choose a ticket type for lines that name none.', coded('tier_open'))
  return { ...guest, problem: null }
}
