/** Said once, under the ticket and never over it. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { screenWords } from '../../words/late.ts'

export function InstallHint({ model: { wallet, install } }: { model: Model }): JSX.Element | null {
  const way = install.way.value
  if (way === 'no' || wallet.settings.value.hinted) return null
  const done = () => wallet.set({ hinted: true })
  return (
    <section class="part install">
      <h2>{screenWords.install.title}</h2>
      <p>{way === 'ask' ? screenWords.install.text : screenWords.install.ios}</p>
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
            {screenWords.install.button}
          </button>
        )}
        <button type="button" onClick={done}>
          {screenWords.install.dismiss}
        </button>
      </div>
    </section>
  )
}
