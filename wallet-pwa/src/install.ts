/** The way onto the home screen: Chromium asks when it is told to, iOS has to be explained. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Install {
  /** `ask`: `prompt` opens the browser's own question. `explain`: iOS. `no`: there already, or not possible here. */
  way: ReadonlySignal<'ask' | 'explain' | 'no'>
  prompt(): Promise<void>
}

interface BeforeInstallPrompt extends Event {
  prompt(): Promise<unknown>
}

export function installable(): Install {
  const standalone = matchMedia('(display-mode: standalone)').matches
  // An iPad says that it is a Macintosh; no Macintosh has a touch screen.
  const ios =
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  const way = signal<'ask' | 'explain' | 'no'>(ios && !standalone && isSecureContext ? 'explain' : 'no')
  let asking: BeforeInstallPrompt | undefined
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    asking = event as BeforeInstallPrompt
    way.value = 'ask'
  })
  addEventListener('appinstalled', () => {
    way.value = 'no'
  })
  return {
    way,
    async prompt() {
      const mine = asking
      asking = undefined
      way.value = 'no'
      // A browser that has asked before refuses.
      await mine?.prompt().catch(() => {})
    },
  }
}
