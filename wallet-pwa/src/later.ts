/** Parts of the app that are loaded when they are needed: on plain HTTP that takes network, and network comes and goes. */
import { useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  part: T | null
  failed: boolean
  again: () => void
}

const AGAIN_MS = 3000

/** Tries until it is there, and at once with `again`. @param load the same function each time, or another part is wanted */
export function useLater<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ of: unknown; part: T | null; failed: boolean }>({
    of: null,
    part: null,
    failed: false,
  })
  const [tries, setTries] = useState(0)
  const again = () => setTries((before) => before + 1)
  useEffect(() => {
    if (state.of === load && state.part !== null) return
    let overtaken = false
    let timer: ReturnType<typeof setTimeout> | undefined
    load().then(
      (part) => overtaken || setState({ of: load, part, failed: false }),
      () => {
        if (overtaken) return
        setState({ of: load, part: null, failed: true })
        timer = setTimeout(again, AGAIN_MS)
      },
    )
    return () => {
      overtaken = true
      clearTimeout(timer)
    }
  }, [load, tries])
  return state.of === load ? { part: state.part, failed: state.failed, again } : { part: null, failed: false, again }
}
