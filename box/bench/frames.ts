/**
 * `node box/bench/frames.ts LEDGER`: how many frames of a ledger's write-ahead log each table and index has, in all commits and for each. A
 * frame is a page that a commit writes, and that is written once more when the log is copied back. Reads alone.
 */
import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

const WAL_HEADER = 32
const FRAME_HEADER = 24

/** Frames of the log since it last began anew: the number of a page each, and whether a commit ends with it. */
export function framesIn(wal: Buffer): { page: number; isCommit: boolean }[] {
  if (wal.length < WAL_HEADER) return []
  const frame = FRAME_HEADER + wal.readUInt32BE(8)
  const salts = wal.subarray(16, 24)
  const frames: { page: number; isCommit: boolean }[] = []
  for (let at = WAL_HEADER; at + frame <= wal.length; at += frame) {
    // Frames with other salts are from before the log began anew.
    if (!wal.subarray(at + 8, at + 16).equals(salts)) break
    frames.push({ page: wal.readUInt32BE(at), isCommit: wal.readUInt32BE(at + 4) > 0 })
  }
  return frames
}

/** The table or index that each page belongs to. */
function namesOf(path: string): Map<number, string> {
  const db = new Sqlite(path, { readonly: true })
  const pages = db.prepare('SELECT pageno, name FROM dbstat').all() as { pageno: number; name: string }[]
  db.close()
  return new Map(pages.map(({ pageno, name }) => [pageno, name]))
}

function main(path: string): void {
  const frames = framesIn(readFileSync(`${path}-wal`))
  const names = namesOf(path)
  const commits = frames.filter(({ isCommit }) => isCommit).length
  const counts = new Map<string, number>()
  for (const { page } of frames) {
    const name = names.get(page) ?? 'free'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  console.log(`${frames.length} frames in ${commits} commits`)
  for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(8)}  ${(count / Math.max(1, commits)).toFixed(2).padStart(6)}  ${name}`)
  }
}

if (import.meta.main) {
  const [path] = process.argv.slice(2)
  if (path) main(path)
  else console.error('Usage: node box/bench/frames.ts LEDGER')
}
