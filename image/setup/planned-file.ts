/** A file that setup writes. */
export interface PlannedFile {
  path: string
  text: string
  /** 0o600 for a file with a password in it. */
  mode: number
}

export function file(path: string, lines: readonly string[], mode = 0o644): PlannedFile {
  return { path, text: `${lines.join('\n')}\n`, mode }
}
