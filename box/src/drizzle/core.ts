/**
 * Drizzle ORM, by `require`. Node parses a package's `exports` again at each import from it and for each file of it, and
 * Drizzle's are 170 kB: by `import`, that is 0.4 s of processor time at every start of a box, a third of all.
 */
import { createRequire } from 'node:module'

export type { SQL } from 'drizzle-orm'

export const require = createRequire(import.meta.url)

export const {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  getTableName,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  max,
  min,
  ne,
  not,
  notInArray,
  or,
  sql,
} = require('drizzle-orm') as typeof import('drizzle-orm')
