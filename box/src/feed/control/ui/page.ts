/** The dashboard, each page one document made of its files; the content security policy allows style and script by their hashes alone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ServedPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Page {
  readonly shown: ServedPage
  /** For somebody without the token, or with a wrong one. It says nothing of the feed. */
  readonly refused: ServedPage
}

export function readPage(): Page {
  const [markup, refused, style, words, script] = ['page.html', 'refused.html', 'page.css', 'words.js', 'page.js'].map(
    (name) => readFileSync(join(import.meta.dirname, name), 'utf8'),
  ) as [string, string, string, string, string]
  // One script without imports: a request for a second one would need the token again.
  const whole = [words, script]
    .join('\n')
    .replace(/^export /gm, '')
    .replace(/^import .*\n/gm, '')
  const withStyle = (document: string) => document.replace('/* page.css */', () => style)
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(whole)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = { 'content-security-policy': policy.join('; '), 'x-frame-options': 'DENY' }
  return {
    shown: { html: withStyle(markup).replace('/* page.js */', () => whole), headers },
    refused: { html: withStyle(refused), headers },
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
