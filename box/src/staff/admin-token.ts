/**
 * The admin token: the key under the glass. It makes the first admin. Where persons sign in, each use of it is an entry, and a warning
 * on every screen until a person has acknowledged it.
 * The file has the token of this box; a rotation is in the ledger by its hash, and counts at every box.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import type { GlassUsed } from '@gatehouse/proto/wire/stats.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { desc } from '../drizzle/core.ts'
import { createDurably, readIfThere, replaceDurably } from '../durable-file.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { adminTokens } from '../ledger/staff-schema.ts'
import { clearUses, noteUse, unseenUses } from '../ledger/token-uses.ts'

/** Uses from one address within this time are one use. */
const ONE_USE_MS = 10 * 60_000
const MOST_ADDRESSES = 1_000

/**
 * The same after every restart: 256 bits in a file that only the box's own user may read.
 * @returns `isNew` if this start has made it: then it is shown, and at no start after
 * @throws Error for a file without one
 */
export async function openAdminToken(dataDir: string, ledger: Ledger): Promise<{ token: string; isNew: boolean }> {
  const path = join(dataDir, 'admin-token')
  const isNew = await createDurably(path, `${randomBytes(32).toString('base64url')}\n`)
  const token = (await readIfThere(path))?.trim() ?? ''
  if (token.length < 32) throw new Error(`${path} holds no token: remove the file, and the next start makes a new one.`)
  // A person who removes the file wants another token. One that was rotated before would count in its place.
  if (isNew && ledger.db.drizzle.select().from(adminTokens).limit(1).get())
    await recordRotation(token, ledger, { actor: 'admin', address: 'this box' })
  return { token, isNew }
}

/**
 * Replaces the token. The one before opens nothing any more, at any box; those who signed in with a name stay signed in.
 * The file is written first: after a power cut between the two the box has the old token, and the file is written anew by the next try.
 * @returns the new token
 */
export async function rotateAdminToken(dataDir: string, ledger: Ledger, by: By): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const path = join(dataDir, 'admin-token')
  const before = await readIfThere(path)
  await replaceDurably(path, `${token}\n`)
  try {
    await recordRotation(token, ledger, by)
  } catch (error) {
    if (before !== undefined) await replaceDurably(path, before)
    throw error
  }
  return token
}

function recordRotation(token: string, ledger: Ledger, by: By): Promise<unknown> {
  const hash = hashOf(token).toString('hex')
  return ledger.commit(() => {
    const { index: entry, hlc } = ledger.append('admin_token', { ...whoOf(by), action: 'rotated', hash })
    ledger.db.drizzle.insert(adminTokens).values({ hash, hlc, entry }).run()
  })
}

/** A person has seen that the token was used: the warning goes, at every box. Does nothing where there is none. */
export async function acknowledgeUses(ledger: Ledger, by: By): Promise<void> {
  await ledger.commit(() => {
    if (!unseenUses(ledger.db)) return
    ledger.append('admin_token', { ...whoOf(by), action: 'seen', hash: null })
    clearUses(ledger.db)
  })
}

export interface AdminTokenDeps {
  ledger: Ledger
  /** As the file had it when the box started. */
  token: string
  /** True if persons sign in: before the first one the token is the usual way, and no incident. */
  hasPeople: () => boolean
  now: () => number
}

export class AdminToken {
  readonly #deps: AdminTokenDeps
  /** SHA-256 of the token that counts. */
  #hash: Buffer
  /** When each address last used it. */
  readonly #uses = new Map<string, number>()
  #unseen: GlassUsed | undefined

  constructor(deps: AdminTokenDeps) {
    this.#deps = deps
    this.#hash = this.#current()
    this.#unseen = unseenUses(deps.ledger.db)
    deps.ledger.subscribe('committed', (entries) => {
      for (const { kind, fields } of factsIn(deps.ledger, entries)) {
        if (kind !== 'admin_token') continue
        if (fields.action === 'rotated') this.#hash = this.#current()
        // Uses after this are shown again.
        if (fields.action === 'seen') this.#uses.clear()
        this.#unseen = unseenUses(deps.ledger.db)
      }
    })
  }

  /** Both are hashed first, so that they have equal lengths, and compared in constant time. */
  matches(token: string): boolean {
    return timingSafeEqual(hashOf(token), this.#hash)
  }

  /** Another one after each rotation. */
  get key(): string {
    return `admin-token ${this.#hash.toString('hex', 0, 8)}`
  }

  /** Records a use by its entry, once for each address in ten minutes. @throws GatehouseError `ledger_unavailable` */
  async use(address: string): Promise<void> {
    const { ledger, hasPeople, now } = this.#deps
    const at = now()
    const last = this.#uses.get(address)
    if (!hasPeople() || (last !== undefined && at - last < ONE_USE_MS)) return
    this.#uses.delete(address)
    this.#uses.set(address, at)
    const [oldest] = this.#uses.keys()
    if (this.#uses.size > MOST_ADDRESSES && oldest !== undefined) this.#uses.delete(oldest)
    try {
      await ledger.commit(() => {
        const { hlc } = ledger.append('admin_token', { actor: 'admin', address, action: 'used', hash: null })
        noteUse(ledger.db, { hlc, address })
      })
    } catch (error) {
      this.#uses.delete(address)
      throw error
    }
  }

  /** Uses at all boxes that nobody has acknowledged; undefined for none. */
  unseen(): GlassUsed | undefined {
    return this.#unseen
  }

  #current(): Buffer {
    const { ledger, token } = this.#deps
    const newest = ledger.db.drizzle.select().from(adminTokens).orderBy(desc(adminTokens.hlc)).limit(1).get()
    return newest ? Buffer.from(newest.hash, 'hex') : hashOf(token)
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
