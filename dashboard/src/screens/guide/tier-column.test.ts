import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NONE, tierColumn, UNSAID } from './tier-column.ts'

const column = (name: string, ...values: string[]) => ({ name, values, more: false })
const numbers = { name: 'Nr', values: Array.from({ length: 64 }, (_, i) => `C-${i}`), more: true }

test('a column that is named after ticket types is guessed, in the languages of the apps', () => {
  const names = [
    ...['Ticket type', 'tier', 'TicketType', 'Category', 'Product name', 'Ticketart', 'Sorte', 'Kartenart', 'Produkt'],
    ...['Type de billet', 'Catégorie', 'Tarif', 'Tipo de entrada', 'Categoría', 'Tipo biglietto', 'Categoria'],
    ...['Tipo de bilhete', 'Produto', 'Ticketsoort', 'kaartsoort', 'Tarief'],
  ]
  for (const name of names)
    assert.equal(tierColumn([numbers, column(name, 'Day', 'VIP'), column('Paid', 'yes', 'no')]), name, name)
})

test('where several columns could be it, a person is asked', () => {
  const others = [
    ...['Payment type', 'Zahlungsart', 'Art der Zahlung', 'Start', 'Name', 'Ticket', 'Type of seat', '', '票种'],
  ]
  for (const name of others) assert.equal(tierColumn([numbers, column(name, 'a', 'b')]), UNSAID, name)
  assert.equal(tierColumn([column('Type', 'a', 'b'), column('Category', 'c', 'd')]), UNSAID, 'two names')
})

test('one type for all is the choice only where no column tells types apart', () => {
  assert.equal(tierColumn([numbers, column('Event', 'Fair'), column('Note')]), NONE)
  assert.equal(tierColumn([]), NONE)
  assert.equal(tierColumn([numbers, { ...column('Type', 'a', 'b'), more: true }]), UNSAID, 'named so, with too many')
  assert.equal(tierColumn([numbers, column('Type', 'Day')]), 'Type')
})
