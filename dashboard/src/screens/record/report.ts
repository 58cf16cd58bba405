/**
 * The box's report inside this page. Its own page cannot be shown in a frame: what a frame may do follows from this page's
 * policy, which allows no style in HTML. So its style goes into a shadow tree, where it holds for nothing else.
 */

export interface ReportParts {
  css: string
  /** Nodes of the report's body. */
  body: DocumentFragment
}

/** Elements that the report is made of; anything else is not ours to show. */
const SCRIPTING = 'script, iframe, object, embed, link, base, meta, form'

/** Undefined for a page that is no report. */
export function reportParts(html: string): ReportParts | undefined {
  // Taken out first: the parser would apply this page's policy to it, and complain.
  const [style, css] = /<style>([^<]*)<\/style>/.exec(html) ?? []
  const page = new DOMParser().parseFromString(html.replace(style ?? '', ''), 'text/html')
  if (css === undefined || !page.querySelector('body h1')) return
  // The box escapes what people have written; a page that was tampered with must not act in the control room's name.
  for (const element of page.body.querySelectorAll(SCRIPTING)) element.remove()
  // Over the bars stands nothing, and a heading of nothing is none.
  for (const cell of page.body.querySelectorAll('th:empty')) cell.replaceWith(page.createElement('td'))
  const body = document.createDocumentFragment()
  for (const element of page.body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (name.startsWith('on')) element.removeAttribute(name)
  }
  body.append(...page.body.childNodes)
  return { css: shadowed(css), body }
}

/** A page's style for a shadow tree: its body is the host. `@page` means nothing there, and the app's own print style has it. */
export function shadowed(css: string): string {
  return css.replace(/@page\s*\{[^}]*\}/g, '').replace(/(^|[\s,{}])body(?=\s*[{,])/g, '$1:host')
}
