/** The machine that a box runs on, where it is the appliance: its settings, clock, software and backups (admin tier). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Id, Nullable, Shape, Time, Words } from './terms.ts'

export const SettingsProblem = Shape('SettingsProblem', {
  where: Type.String({ description: 'The key of gatehouse.toml, or its line, or the file itself' }),
  message: Type.String(),
  coded: Type.Optional(Type.Array(Coded, { description: 'The same as codes, whose sentences follow one another' })),
})
export type SettingsProblem = Static<typeof SettingsProblem>

const Percent = Nullable(Type.Integer({ minimum: 0, maximum: 100 }))

export const UsbBackup = Shape('UsbBackup', {
  state: Type.Enum(['idle', 'making', 'copying', 'done', 'failed']),
  percent: Percent,
  name: Nullable(Type.String({ description: 'Of the file on the stick' })),
  reason: Nullable(Type.String({ description: 'One sentence: why it failed, and what to do' })),
  reason_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
})
export type UsbBackup = Static<typeof UsbBackup>

/** An update on a USB stick, by its file name. */
export const UsbUpdate = Shape('UsbUpdate', { name: Type.String(), bytes: Count })
export type UsbUpdate = Static<typeof UsbUpdate>

export const Appliance = Shape('Appliance', {
  appliance: Type.Boolean({ description: 'False on any other machine: there, nothing else of this is offered' }),
  problems: Type.Array(SettingsProblem, { description: 'Mistakes in gatehouse.toml' }),
  time_quality: Type.Enum(['synced', 'unsynced']),
  time_source: Nullable(Type.String({ description: 'Source by which the clock is set' })),
  now: Time,
  uptime_ms: Nullable(Count),
  free_bytes: Nullable(Count),
  total_bytes: Nullable(Count),
  temperature_celsius: Nullable(Type.Number()),
  stick: Type.Boolean({ description: 'A USB stick is in the box' }),
  backup: UsbBackup,
})
export type Appliance = Static<typeof Appliance>

export const TimeRequest = Shape('TimeRequest', { now: Time, actor: Words })
export const TimeSet = Shape('TimeSet', { now: Time, time_quality: Type.Enum(['synced', 'unsynced']) })

/** One of the two slots of the system. */
export const Slot = Shape('Slot', {
  name: Type.Enum(['A', 'B']),
  running: Type.Boolean(),
  next: Type.Boolean({ description: 'True for the slot that the machine starts from next' }),
  state: Type.Enum(['good', 'bad', 'empty'], { description: 'bad: it was started, and did not report itself well' }),
  version: Nullable(Type.String()),
})
export type Slot = Static<typeof Slot>

export const UpdateState = Shape('UpdateState', {
  state: Type.Enum(['idle', 'uploading', 'checking', 'installing', 'ready', 'failed'], {
    description: 'ready: a restart starts the new version',
  }),
  percent: Percent,
  version: Nullable(Type.String({ description: 'Of the update' })),
  reason: Nullable(Type.String({ description: 'One sentence: why it failed, and what to do' })),
  reason_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
  older: Type.Boolean({
    description: 'It was refused because `version` is older than the one that runs: to be sent again with `older`',
  }),
  slots: Type.Array(Slot),
  usb: Type.Array(UsbUpdate),
})
export type UpdateState = Static<typeof UpdateState>

const Older = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9.+~-]{1,64}$',
    description:
      'The version that is to be installed although it is older than the one that runs. Without, it is refused',
  }),
)

export const UpdateQuery = Shape('UpdateQuery', { actor: Words, older: Older })
export type UpdateQuery = Static<typeof UpdateQuery>

/** @property name one of `usb`: nothing else is installed */
export const UsbUpdateRequest = Shape('UsbUpdateRequest', { name: Id, actor: Words, older: Older })
export const ApplianceAction = Shape('ApplianceAction', { actor: Words })
export const Restarting = Shape('Restarting', { restarting: Type.Boolean() })
