/** A screen that is fetched when it is first needed; the service worker has it by then. */
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { ComponentType, FunctionComponent, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadLate } from '../words/late.ts'
import { words } from '../words/words.ts'

/** @param load its `import()` @param name what the screen is called there @param quiet draws nothing until it is there */
export function lazy<N extends string, P extends object>(
  load: () => Promise<Record<N, ComponentType<P>>>,
  name: N,
  { quiet = false } = {},
): FunctionComponent<P> {
  const fetched = reimporting(load)
  let loaded: ComponentType<P> | undefined
  return function Lazy(props: P): JSX.Element | null {
    const [state, setState] = useState<'loading' | 'here' | 'failed'>(loaded ? 'here' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      loadLate()
        .then(fetched)
        .then(
          (its) => {
            loaded = its[name]
            setState('here')
          },
          () => setState('failed'),
        )
    }, [state])
    if (state === 'here' && loaded) {
      const Screen = loaded
      return <Screen {...props} />
    }
    if (state === 'loading') return quiet ? null : <p class="opening">{words.opening}</p>
    return (
      <section class="page">
        <p role="alert">{words.doesNotOpen}</p>
        <button type="button" class="primary" onClick={() => setState('loading')}>
          {words.again}
        </button>
      </section>
    )
  }
}
