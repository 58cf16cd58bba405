/** A screen that is fetched when it is first needed; the service worker has it by then. */
import { useSignal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../words/en.ts'

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function Lazy(props: P): JSX.Element | null {
    const state = useSignal<'loading' | 'here' | 'failed'>(loaded ? 'here' : 'loading')
    useEffect(() => {
      if (state.value !== 'loading') return
      load().then(
        (component) => {
          loaded = component
          state.value = 'here'
        },
        () => {
          state.value = 'failed'
        },
      )
    }, [state.value])
    if (state.value === 'here' && loaded) {
      const Screen = loaded
      return <Screen {...props} />
    }
    if (state.value === 'loading') return null
    return (
      <section class="page">
        <p role="alert">{words.doesNotOpen}</p>
        <button
          type="button"
          class="primary"
          onClick={() => {
            state.value = 'loading'
          }}
        >
          {words.again}
        </button>
      </section>
    )
  }
}
