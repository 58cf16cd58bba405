/** A screen as the shell knows it. */
import type { OperationId } from '@gatehouse/proto/operations.ts'
import type { ComponentType } from 'preact'
import type { Model } from '../model.ts'
import type { GroupId } from './groups.ts'

export interface Screen {
  /** In the address, after `#/`. */
  path: string
  /** The entry of the navigation behind which it is. */
  group: GroupId
  /** In its group's tabs, as the page's heading, and in the window's title. */
  title: string
  /** The operation that it shows or does first: offered to those whose role has it. */
  needs: OperationId
  /** Offered where the box is the appliance, and nowhere else. */
  only?: 'appliance'
  /** Imports the file that exports `Screen`, when it is first opened: the first script stays small. */
  load: () => Promise<{ Screen: ComponentType<Model> }>
}
