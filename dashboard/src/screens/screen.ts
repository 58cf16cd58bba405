/** What the shell knows of a screen. */
import type { ComponentType } from 'preact'

export interface Screen {
  /** In the address, after `#/`. */
  path: string
  /** In the navigation, as the page's heading, and in the window's title. */
  title: string
  /** One path in a box of 24 by 24, drawn as a line. */
  icon: string
  /** Offered where the box is the appliance, and nowhere else. */
  only?: 'appliance'
  /** Loaded when it is first opened: the first screen stays small. */
  load: () => Promise<{ Screen: ComponentType }>
}
