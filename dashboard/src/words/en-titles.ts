/** What the navigation calls the screens of `registry-actions.ts`: apart from `en-actions.ts`, which loads with them. */
export const titles = {
  flags: 'Flags',
  devices: 'Devices',
  tickets: 'Tickets',
  announce: 'Announce',
  import: 'Import',
  record: 'Record',
  boxes: 'Boxes',
  hq: 'HQ',
  log: 'Log',
  appliance: 'Appliance',
  settings: 'Settings',
} as const
