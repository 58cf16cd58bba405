/** The settings of this phone, stored in its browser. Losing them does no harm. */
import { effect, type Signal, signal } from '@preact/signals'

export interface Preferences {
  /** 0 to 1. */
  volume: Signal<number>
  vibration: Signal<boolean>
  /** Id of the chosen camera; null: the one at the back. */
  camera: Signal<string | null>
}

const KEY = 'gatehouse-scanner'

export function openPreferences(storage: Pick<Storage, 'getItem' | 'setItem'>): Preferences {
  const kept = readKept(storage.getItem(KEY))
  const volume = signal(typeof kept.volume === 'number' && kept.volume >= 0 && kept.volume <= 1 ? kept.volume : 1)
  const vibration = signal(kept.vibration !== false)
  const camera = signal(typeof kept.camera === 'string' ? kept.camera : null)
  effect(() => {
    storage.setItem(KEY, JSON.stringify({ volume: volume.value, vibration: vibration.value, camera: camera.value }))
  })
  return { volume, vibration, camera }
}

function readKept(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
