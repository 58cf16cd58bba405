/** True if an `If-None-Match` names this entity tag (RFC 9110, 13.1.2): a list, weak tags count, `*` is any. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
