/** Gives a desk's tickets what a shop says of them: order, product, add-ons, and what it knows of the person. */
import type { Product, TicketExtra, TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import { eq } from '../../src/drizzle/core.ts'
import type { Db } from '../../src/ledger/db.ts'
import { products, type Ticket, tickets } from '../../src/ledger/schema.ts'

export type Said = Partial<Omit<Ticket, 'personal' | 'extras'>> & { personal?: TicketPersonal; extras?: TicketExtra[] }

export function sayOfTicket({ drizzle }: Pick<Db, 'drizzle'>, code: string, { personal, extras, ...said }: Said): void {
  const json = {
    ...(personal && { personal: JSON.stringify(personal) }),
    ...(extras && { extras: JSON.stringify(extras) }),
  }
  drizzle
    .update(tickets)
    .set({ ...said, ...json })
    .where(eq(tickets.code, code))
    .run()
}

export function sellProduct({ drizzle }: Pick<Db, 'drizzle'>, key: string, product: Partial<Product>): void {
  const whole: Product = { name: key, attention: false, admission: true, questions: [], ...product }
  drizzle
    .insert(products)
    .values({ key, product: JSON.stringify(whole), hlc: '', entry: 0 })
    .run()
}
