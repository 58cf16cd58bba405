/**
 * The rules of pretix's check-in lists (JSON logic: https://docs.pretix.eu/dev/api/resources/checkinlists.html). Which list belongs
 * to which checkpoint is not in any file, and most rules ask for times or earlier entries, which this event's file decides. So a
 * rule is evaluated as far as product and variation decide it, and otherwise named for each product whose tickets it concerns: a
 * warning lists only its first rows.
 */
import { id, isObject, type Json, list, text } from './pretix-json.ts'
import { plainText, quoted, type Sentence, sentence } from './row.ts'

/** Sentences about rules in one report: a file of many products and lists does not make it endless. */
const MOST_NOTES = 1_000
const MORE = sentence(
  'rules_more',
  'Other rules of check-in lists of pretix concern this product too: this report names the first thousand.',
)

interface Position {
  item: string
  variation: string | undefined
  subevent: string | undefined
}

/**
 * @param titleOf a product as a warning names it
 * @returns finds the warnings about rules that concern a ticket: the same sentences for every ticket of its product
 */
export function ruleNotes(
  lists: readonly Json[],
  titleOf: (position: Position) => string,
): (position: Position) => readonly Sentence[] {
  const ruled = lists.filter(({ rules }) => isObject(rules) && Object.keys(rules).length > 0)
  const known = new Map<string, readonly Sentence[]>()
  let named = 0
  const notesOf = (position: Position) => {
    if (named >= MOST_NOTES) return [MORE]
    const title = titleOf(position)
    const notes = ruled.filter((one) => concerns(one, position)).flatMap((one) => noteOf(one, position, title))
    named += notes.length
    return notes
  }
  return (position) => {
    if (ruled.length === 0) return []
    const key = `${position.item}/${position.variation}/${position.subevent}`
    const notes = known.get(key) ?? notesOf(position)
    known.set(key, notes)
    return notes
  }
}

function concerns({ all_products, limit_products, subevent }: Json, position: Position): boolean {
  const date = id(subevent)
  if (date !== undefined && position.subevent !== undefined && date !== position.subevent) return false
  return all_products === true || list(limit_products).map(String).includes(position.item)
}

function noteOf({ name, rules }: Json, position: Position, title: string): Sentence[] {
  const unknown = new Set<string>()
  const result = evaluate(rules, position, unknown)
  const named = `check-in list ${quoted(text(name))} of pretix`
  if (result === true) return []
  if (result === false) {
    return [
      sentence(
        'list_never_admits',
        `The ${named} never admits tickets of ${title}. The box does not apply this rule: give the product a ticket type without access there.`,
        { list: plainText(text(name)), product: title },
      ),
    ]
  }
  const asked = [...unknown].sort().slice(0, 10).join(', ')
  return [
    sentence(
      'list_rules',
      `The rules of the ${named} are not supported for tickets of ${title}: they ask for ${asked}. Set entries, times and zones of their ticket type in event.json to the same.`,
      { list: plainText(text(name)), product: title, asked },
    ),
  ]
}

/** Undefined where product and variation do not decide it; what would, is added to `unknown`. */
function evaluate(rule: unknown, position: Position, unknown: Set<string>, depth = 0): boolean | undefined {
  const [operator, operands] = isObject(rule) ? (Object.entries(rule)[0] ?? []) : []
  const values = list(operands)
  if ((operator === 'and' || operator === 'or') && depth < 20) {
    const asked = new Set<string>()
    const results = values.map((value) => evaluate(value, position, asked, depth + 1))
    const decisive = operator === 'or'
    if (results.includes(decisive)) return decisive
    if (!results.includes(undefined)) return !decisive
    for (const name of asked) unknown.add(name)
    return undefined
  }
  const variable = isObject(values[0]) ? text(values[0].var) : ''
  const members = isObject(values[1]) ? list(values[1].objectList) : undefined
  if (operator === 'inList' && (variable === 'product' || variable === 'variation') && members) {
    const wanted = variable === 'product' ? position.item : position.variation
    return members.some((member) => isObject(member) && id(list(member.lookup)[1]) === wanted)
  }
  for (const name of variablesIn(rule)) unknown.add(name)
  return undefined
}

/** Names of the variables of a rule, or of its operator where it has none. */
function variablesIn(rule: unknown): string[] {
  const found: string[] = []
  const waiting: unknown[] = [rule]
  for (let value = waiting.pop(); value !== undefined && found.length < 20; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.slice(0, 100))
    else if (isObject(value)) {
      if (typeof value.var === 'string') found.push(quoted(value.var, 40))
      else waiting.push(...Object.values(value))
    }
  }
  return found.length > 0 ? found : ['what this version of the box cannot read']
}
