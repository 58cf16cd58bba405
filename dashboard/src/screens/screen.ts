/** A screen as the shell knows it. */
import type { OperationId } from '@gatehouse/proto/operations.ts'
import type { ComponentType } from 'preact'
import type { Model } from '../model.ts'

export interface Screen {
  /** In the address, after `#/`. */
  path: string
  /** In the navigation, as the page's heading, and in the window's title. */
  title: string
  /** One path in a box of 24 by 24, drawn as a line. */
  icon: string
  /** The operation that it shows or does first: offered to those whose role has it. */
  needs: OperationId
  /** Offered where the box is the appliance, and nowhere else. */
  only?: 'appliance'
  /** Imports the file that exports `Screen`, when it is first opened: the first script stays small. */
  load: () => Promise<{ Screen: ComponentType<Model> }>
}
