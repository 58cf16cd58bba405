/** HTML in which no text can become markup: what is put into a template is escaped, unless a template has made it. */
import { escapeXml } from '@gatehouse/proto/xml-text.ts'

export interface Html {
  readonly markup: string
}

type Part = Html | string | number | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: strings.reduce((text, string, i) => `${text}${markupOf(parts[i - 1])}${string}`) }
}

/** Marks a text as markup, which is not escaped: the caller vouches for it. */
export function markup(text: string): Html {
  return { markup: text }
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(markupOf).join('')
  return escapeXml(String(part))
}
