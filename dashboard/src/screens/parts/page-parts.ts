/**
 * A page that the box draws to be printed, inside this page. It cannot be shown in a frame: what a frame may do follows from this page's
 * policy, which allows no style in HTML. So its style goes into a shadow tree, where it holds for nothing else.
 */

export interface PageParts {
  css: string
  /** Its rule about the size of the paper, which holds for the whole document while the page is shown; empty where it has none. */
  size: string
  /** Nodes of its body. */
  body: DocumentFragment
  /** The whole page, to be saved as a file. */
  html: string
}

/** Elements that such a page is made of; anything else is not ours to show. */
const SCRIPTING = 'script, iframe, object, embed, link, base, meta, form'

/** Undefined for something that is no such page. */
export function pageParts(html: string): PageParts | undefined {
  // Taken out first: the parser would apply this page's policy to it, and complain.
  const [style, css] = /<style>([^<]*)<\/style>/.exec(html) ?? []
  const page = new DOMParser().parseFromString(html.replace(style ?? '', ''), 'text/html')
  if (css === undefined || !page.querySelector('body h1')) return
  // The box escapes what people have written; a page that was tampered with must not act in the control room's name.
  for (const element of page.body.querySelectorAll(SCRIPTING)) element.remove()
  // The header cell over the bars is empty, and an empty cell is no heading.
  for (const cell of page.body.querySelectorAll('th:empty')) cell.replaceWith(page.createElement('td'))
  const body = document.createDocumentFragment()
  for (const element of page.body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (name.startsWith('on')) element.removeAttribute(name)
  }
  body.append(...page.body.childNodes)
  return { css: shadowed(css), size: PAGE.exec(css)?.[0] ?? '', body, html }
}

const PAGE = /@page\s*\{[^}]*\}/

/** A page's style for a shadow tree: its body is the host. `@page` means nothing there, and is the document's. */
export function shadowed(css: string): string {
  return css.replace(new RegExp(PAGE, 'g'), '').replace(/(^|[\s,{}])body(?=\s*[{,])/g, '$1:host')
}
