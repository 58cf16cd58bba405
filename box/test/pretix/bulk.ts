/** Many orders at once, by pretix's own models, because its API makes a few in a second; and its check-ins, read from its tables. */
import pg from 'pg'
import type { RealPretix } from './real.ts'

export interface Bulk {
  /** Begins each secret and each order's code. Three capital letters. */
  prefix: string
  orders: number
  /** Otherwise they are changes of this moment, which a box asks for before it goes on with the orders of before. */
  lastChangedDaysAgo?: number
}

export interface Checkin {
  secret: string
  type: string
  /** Unix ms. */
  at: number
  successful: boolean
  reason: string | null
  nonce: string | null
}

/** Paid orders of one day ticket each. @returns their secrets, `PREFIX-0` and so on */
export async function sellInBulk(
  pretix: RealPretix,
  { prefix, orders, lastChangedDaysAgo = 0 }: Bulk,
): Promise<string[]> {
  await pretix.shell(`
from datetime import timedelta
from decimal import Decimal
from django.utils.timezone import now
event = Event.objects.get(slug="summer")
channel = event.organizer.sales_channels.get(identifier="web")
signs = "ABCDEFGHJKLMNPQRSTUVWXYZ"
def code_of(n):
    return "${prefix}" + "".join(signs[(n // 24 ** i) % 24] for i in range(5))
for start in range(0, ${orders}, 1000):
    numbers = range(start, min(start + 1000, ${orders}))
    made = Order.objects.bulk_create([
        Order(event=event, organizer=event.organizer, code=code_of(n), email="jane@example.org", status="p", locale="en",
              datetime=now(), last_modified=now(), expires=now() + timedelta(days=9), total=Decimal("23.00"), sales_channel=channel)
        for n in numbers
    ])
    OrderPosition.objects.bulk_create([
        OrderPosition(organizer=event.organizer, order=order, positionid=1, item_id=${pretix.made.items.day}, price=Decimal("23.00"),
                      tax_rate=Decimal("0.00"), tax_value=Decimal("0.00"), secret=f"${prefix}-{n}",
                      pseudonymization_id=f"${prefix}{n}", attendee_name_parts={"_scheme": "full", "full_name": "Jane Doe"})
        for n, order in zip(numbers, made)
    ])
    Order.objects.filter(pk__in=[order.pk for order in made]).update(last_modified=now() - timedelta(days=${lastChangedDaysAgo}))
`)
  return Array.from({ length: orders }, (_, n) => `${prefix}-${n}`)
}

/** Changes the first orders, as of now: each third is cancelled, is not paid, or gets another code, `PREFIX-0-new` and so on. */
export async function changeInBulk(pretix: RealPretix, { prefix, orders }: Bulk): Promise<void> {
  await pretix.shell(`
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.utils.timezone import now
def of(rest):
    return [f"${prefix}-{n}" for n in range(${orders}) if n % 3 == rest]
for rest, status in ((0, "c"), (1, "n"), (2, "p")):
    Order.objects.filter(all_positions__secret__in=of(rest)).update(status=status, last_modified=now())
OrderPosition.objects.filter(secret__in=of(2)).update(secret=Concat(F("secret"), Value("-new")))
`)
}

/** Every check-in of tickets with this prefix, oldest first, successful or not. */
export async function checkinsOf({ postgres }: RealPretix, prefix: string): Promise<Checkin[]> {
  const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user: 'postgres', database: 'pretix' })
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT p.secret, c.type, c.datetime, c.successful, c.error_reason AS reason, c.nonce
       FROM pretixbase_checkin c JOIN pretixbase_orderposition p ON p.id = c.position_id
       WHERE p.secret LIKE $1 ORDER BY c.datetime, c.id`,
      [`${prefix}-%`],
    )
    return rows.map(({ datetime, ...row }) => ({ ...row, at: new Date(datetime).getTime() }))
  } finally {
    await client.end()
  }
}
