/** Draws what is loaded when it is first needed; says so while it loads, and when it does not come. */
import { useSignal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { loadLate } from '../words/late.ts'
import { words } from '../words/words.ts'

interface LazyProps<P> {
  load: () => Promise<ComponentType<P>>
  /** Properties of the component that is loaded. */
  given: P
  quiet?: boolean
  early?: boolean
}

/**
 * Give it a `key` where `load` may change.
 * @param quiet draws nothing until it is there
 * @param early for a component without late sentences: it does not wait for them
 */
export function Lazy<P extends object>({
  load,
  given,
  quiet = false,
  early = false,
}: LazyProps<P>): JSX.Element | null {
  const loaded = useSignal<{ Part: ComponentType<P> } | 'failed' | null>(null)
  useEffect(() => {
    const loading = early ? load() : loadLate().then(load)
    loading.then(
      (Part) => {
        loaded.value = { Part }
      },
      (error) => {
        console.error(error)
        loaded.value = 'failed'
      },
    )
  }, [])
  const { value } = loaded
  if (value === 'failed')
    return (
      <div class="shell-failed" role="alert">
        <p>{words.shell.failed}</p>
        <button type="button" onClick={() => void again()}>
          {words.shell.again}
        </button>
      </div>
    )
  if (value === null) return quiet ? null : <p class="shell-loading quiet">{words.shell.loading}</p>
  return <value.Part {...given} />
}

/** A browser remembers that a module could not be loaded: only a new page asks for it again, and there is none while the box is away. */
async function again(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (answer?.ok) location.reload()
}
