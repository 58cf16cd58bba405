/** Said once, under the ticket and never over it. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { words } from '../../words/words.ts'

export function InstallHint({ model: { wallet, install } }: { model: Model }): JSX.Element | null {
  const way = install.way.value
  if (way === 'no' || wallet.settings.value.hinted) return null
  const done = () => wallet.set({ hinted: true })
  return (
    <section class="part install">
      <h2>{words.install.title}</h2>
      <p>{way === 'ask' ? words.install.text : words.install.ios}</p>
      <div class="choices">
        {way === 'ask' && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              done()
              void install.prompt()
            }}
          >
            {words.install.button}
          </button>
        )}
        <button type="button" onClick={done}>
          {words.install.dismiss}
        </button>
      </div>
    </section>
  )
}
