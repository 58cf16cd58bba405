/** Names that every server of the mesh has in common. */

/** The JetStream domain of the voters: the same name at every box. */
export const DOMAIN = 'core'
/** Everything; and emergencies, which have connections of their own and wait behind nothing. */
export const ACCOUNTS = ['MESH', 'URGENT'] as const
export type Account = (typeof ACCOUNTS)[number]
