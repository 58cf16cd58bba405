import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type SummedTicket, TicketSum } from './ticket-sum.ts'

const TICKET: SummedTicket = {
  ref: '00c0ffee',
  codeHash: Buffer.alloc(16, 1),
  tier: 'day',
  seat: null,
  validFrom: null,
  validUntil: null,
  status: 'valid',
  statusDetail: null,
}
const sumOf = (tickets: readonly SummedTicket[]) => {
  const sum = new TicketSum()
  for (const ticket of tickets) sum.add(ticket)
  return sum
}
const some = fc.array(
  fc.record({
    ref: fc.string(),
    tier: fc.constantFrom('day', 'crew'),
    seat: fc.option(fc.string({ unit: 'grapheme' })),
  }),
)

describe('the sum over all tickets', () => {
  it('is a value that everybody can work out, and does not change with the version', () => {
    assert.equal(new TicketSum().digest(), 'e5a00aa9991ac8a5ee3109844d84a55583bd20572ad3ffcd42792f3c36b183ad')
    assert.equal(sumOf([TICKET]).digest(), '18e7cc7974ab071d49eb66d7d429c7034eced514fa0f733a6660200dcf9ed7c1')
  })

  it('covers what the shop says of order and product, and is the same as before for a ticket of which it says nothing', () => {
    const nothing = {
      product: null,
      orderCode: null,
      position: null,
      addonTo: null,
      price: null,
      attention: null,
      extras: null,
    }
    assert.equal(sumOf([{ ...TICKET, ...nothing }]).digest(), sumOf([TICKET]).digest())
    const digests = [
      { product: 'item:1' },
      { orderCode: 'item:1' },
      { position: 1 },
      { addonTo: 1 },
      { price: '1' },
      { attention: 1 },
      { extras: '1' },
    ].map((said) => sumOf([{ ...TICKET, ...said }]).digest())
    assert.equal(new Set([...digests, sumOf([TICKET]).digest()]).size, digests.length + 1)
  })

  it('does not depend on the order, and is undone by taking away', () => {
    fc.assert(
      fc.property(some, some, fc.nat(), (rows, others, turn) => {
        const [tickets, more] = [rows, others].map((list) => list.map((row) => ({ ...TICKET, ...row })))
        if (!tickets || !more) return
        const at = turn % (tickets.length + 1)
        const sum = sumOf([...tickets.slice(at), ...tickets.slice(0, at)])
        assert.equal(sum.digest(), sumOf(tickets).digest())
        const both = new TicketSum(sum.bytes())
        both.merge(sumOf(more))
        assert.equal(both.digest(), sumOf([...more, ...tickets]).digest())
        for (const ticket of more) both.remove(ticket)
        assert.equal(both.digest(), sum.digest())
      }),
    )
  })

  it('is another one for another value of any field, for a row more, and for a row twice', () => {
    const one = sumOf([TICKET]).digest()
    const others: Partial<SummedTicket>[] = [
      { ref: '00c0ffef' },
      { codeHash: Buffer.alloc(16, 2) },
      { tier: 'crew' },
      { seat: 'A1' },
      { validFrom: 0 },
      { validUntil: 0 },
      { status: 'blocked' as const },
      { statusDetail: 'chargeback' },
    ]
    const digests = others.map((change) => sumOf([{ ...TICKET, ...change }]).digest())
    const all = [one, ...digests, sumOf([]).digest(), sumOf([TICKET, TICKET]).digest()]
    assert.equal(new Set(all).size, all.length)
  })
})
