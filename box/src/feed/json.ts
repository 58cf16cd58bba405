/** An event as JSON, for sinks that speak it: the names of the protobuf message, and the images as objects. */
import type { ChangeEvent } from './change.ts'

/**
 * The images are JSON objects already and are inserted unchanged, so that a receiver parses one document and not three. Every
 * value in them is text or null, so that no parser rounds a number. Null where there is no image.
 */
export function eventJson(event: ChangeEvent): string {
  const { id, lsn, commitLsn, commitTime, schema, table, op, beforeJson, afterJson } = event
  const head = JSON.stringify({ id, lsn, commit_lsn: commitLsn, commit_time: commitTime, schema, table, op })
  return `${head.slice(0, -1)},"before":${beforeJson || 'null'},"after":${afterJson || 'null'}}`
}
