/** The dashboard as one document, made of its files; the content security policy allows style and script by their hashes alone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export function readPage(): Page {
  const [markup, style, words, script] = ['page.html', 'page.css', 'words.js', 'page.js'].map((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  ) as [string, string, string, string]
  // One script without imports: a request for a second one would need the token again.
  const whole = [words, script]
    .join('\n')
    .replace(/^export /gm, '')
    .replace(/^import .*\n/gm, '')
  const html = markup.replace('/* page.css */', () => style).replace('/* page.js */', () => whole)
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
  return { html, headers: { 'content-security-policy': policy.join('; '), 'x-frame-options': 'DENY' } }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
