/** A page of the box, as it will be on paper: to look at, to print, to save. */
import './printed.css'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Refused } from '../../session/answered.ts'
import { salesWords as words } from '../../words/late.ts'
import { type PageParts, pageParts } from './page-parts.ts'
import { saveAs } from './save.ts'

/** In a shadow tree, which has the page's own style and none of ours. */
export function PrintedPage({ parts: { css, size, body }, label }: { parts: PageParts; label: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
    // Once drawn the nodes are gone from the fragment: a page is drawn once.
    if (body.hasChildNodes()) root.replaceChildren(body)
    const paper = new CSSStyleSheet()
    paper.replaceSync(size)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, paper]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== paper)
    }
  }, [css, body])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls sideways, by keyboard too
    <section class="printed" aria-label={label} tabIndex={0}>
      <div ref={host} />
    </section>
  )
}

/** Buttons of a page. @param name of the file */
export function PageActions({ parts, name }: { parts: PageParts; name: string }): JSX.Element {
  return (
    <>
      <button type="button" class="primary part-main" onClick={() => print()}>
        {words.print}
      </button>
      <button
        type="button"
        class="part-main"
        onClick={() => saveAs(new Blob([parts.html], { type: 'text/html' }), name)}
      >
        {words.save}
      </button>
    </>
  )
}

/** @throws Refused for something that is no page of the box */
export function readPage(html: unknown): PageParts {
  const parts = pageParts(String(html))
  if (!parts) throw new Refused('unknown', 200, words.unreadable)
  return parts
}
