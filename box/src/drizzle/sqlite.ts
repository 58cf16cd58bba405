/** Drizzle's part for a ledger. */
import { require } from './core.ts'

export type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
export type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

export const { blob, customType, getTableConfig, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } =
  require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core')

export const { drizzle } = require('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3')

export const { migrate } =
  require('drizzle-orm/better-sqlite3/migrator') as typeof import('drizzle-orm/better-sqlite3/migrator')
