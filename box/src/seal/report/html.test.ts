import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { html, markup } from './html.ts'

describe('a template', () => {
  it('escapes whatever is put into it, in text and in attributes', () => {
    const { markup: made } = html`<p title="${'"><script>'}">${"<b>&'"}${1}${undefined}</p>`
    assert.equal(made, '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;&#39;1</p>')
  })

  it('takes templates, and lists of them, as they are', () => {
    const items = ['<', '>'].map((text) => html`<li>${text}</li>`)
    assert.equal(html`<ul>${items}</ul>${markup('<hr>')}`.markup, '<ul><li>&lt;</li><li>&gt;</li></ul><hr>')
  })

  it('lets no text become markup', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { markup: made } = html`${text}`
        assert.doesNotMatch(made, /[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      }),
    )
  })
})
