/**
 * The role that each operation of the box's API needs: the one table from which the box's check, the OpenAPI document and what the
 * dashboard offers are derived. The compiler asks for a row of every operation, and the box does not start without one.
 */
import type { operations } from './gen/openapi.d.ts'

/** Roles of people who sign in, and of API tokens. */
export const STAFF_ROLES = ['viewer', 'desk', 'operator', 'admin'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/**
 * Requirement of an operation: a role of the staff; a scanner, or one that is a supervisor's; one's own session,
 * whatever the role; nothing at all where somebody is signing in, whom the operation itself finds out; or nothing but the tier's own
 * credential. */
export type Needed = StaffRole | 'self' | 'signing_in' | 'scanner' | 'supervisor' | 'anybody'

export interface Grant {
  readonly role: Needed
  /**
   * It cannot be undone: a person gives the PIN or the password again, and an API token has to name the operation. Not for what another
   * act brings back: a revoked ticket is reinstated, a new code is followed by another, and somebody whose session ended signs in again.
   */
  readonly confirmed?: true
}

/**
 * The roles that a role includes. The desk sees names of ticket holders and the operator acts on gates; each does without the
 * other's, and an admin has both.
 */
const INCLUDES: { readonly [R in StaffRole]: readonly Needed[] } = {
  viewer: ['self', 'signing_in', 'viewer'],
  desk: ['self', 'signing_in', 'viewer', 'desk'],
  operator: ['self', 'signing_in', 'viewer', 'operator'],
  admin: ['self', 'signing_in', 'viewer', 'desk', 'operator', 'admin'],
}

const anybody: Grant = { role: 'anybody' }
const scanner: Grant = { role: 'scanner' }
const supervisor: Grant = { role: 'supervisor' }
const self: Grant = { role: 'self' }
const signingIn: Grant = { role: 'signing_in' }
const viewer: Grant = { role: 'viewer' }
const desk: Grant = { role: 'desk' }
const operator: Grant = { role: 'operator' }
const admin: Grant = { role: 'admin' }
const confirmed = ({ role }: Grant): Grant => ({ role, confirmed: true })

/** Of the box itself; `feedEvents` is a route of another process. */
export type OperationId = Exclude<keyof operations, 'feedEvents'>

export const OPERATIONS = {
  // Everybody: identity of the box, the map, pairing.
  caCertificate: anybody,
  enroll: anybody,
  health: anybody,
  meta: anybody,
  openapi: anybody,
  time: anybody,
  venue: anybody,
  // Ticket holders: the ticket id in the path is the credential.
  announcements: anybody,
  announcementStream: anybody,
  claim: anybody,
  nearby: anybody,
  ticket: anybody,
  // Scanners.
  admitGroup: scanner,
  answer: scanner,
  guidance: scanner,
  incidents: scanner,
  lookUp: supervisor,
  manifest: scanner,
  reportIncident: scanner,
  addIncidentNote: scanner,
  withdrawIncident: scanner,
  reportQueue: scanner,
  reportStatus: scanner,
  rehearseAdmit: supervisor,
  rehearseAnswer: scanner,
  rehearseGroup: scanner,
  rehearseScan: scanner,
  rehearseUndo: scanner,
  scan: scanner,
  scans: scanner,
  signOff: scanner,
  signOn: scanner,
  stream: scanner,
  supervisorAdmit: supervisor,
  undoScan: scanner,
  // One's own session. Signing in needs name and PIN, and no role.
  signIn: self,
  ownSession: self,
  signOut: self,
  confirmSession: self,
  changeOwnSecret: self,
  // A passkey begun here opens the box from then on: the PIN is given again before it.
  beginPasskey: confirmed(self),
  addPasskey: self,
  ownPasskeys: self,
  removeOwnPasskey: confirmed(self),
  // Other ways in: what proves the person is in the request.
  pairTablet: signingIn,
  waysIn: signingIn,
  beginAtProvider: signingIn,
  finishAtProvider: signingIn,
  beginWithPasskey: signingIn,
  finishWithPasskey: signingIn,
  // The control room, to look at. No holder's name is in any of these.
  adminStream: viewer,
  attendance: viewer,
  certificate: viewer,
  devices: viewer,
  evacuation: viewer,
  flags: viewer,
  holds: viewer,
  incidentBoard: viewer,
  links: viewer,
  log: viewer,
  mesh: viewer,
  occupancy: viewer,
  rehearsal: viewer,
  shop: viewer,
  stats: viewer,
  verifyProgress: viewer,
  // The desk: tickets with their holders, walk-up sales, guests, paper lists.
  addGuests: desk,
  admitOnPaper: desk,
  changeHolder: desk,
  deskLink: desk,
  deskLookUp: desk,
  deskReinstate: desk,
  deskRelease: desk,
  deskRevoke: desk,
  deskTicket: desk,
  forgetHolder: confirmed(desk),
  noteTicket: desk,
  paperList: desk,
  reinstateTicket: desk,
  reissueTicket: desk,
  releaseClaim: desk,
  revokeTicket: desk,
  sale: desk,
  sales: desk,
  salesCsv: desk,
  sell: desk,
  slip: desk,
  voidSale: confirmed(desk),
  // The gates: incidents, holds, announcements, scanners. The evacuation sheet may list the people inside.
  actOnIncident: operator,
  announce: operator,
  withdrawAnnouncement: operator,
  compareShop: operator,
  endRehearsal: operator,
  evacuationPage: operator,
  holdGate: operator,
  invite: operator,
  pretixScanInvite: operator,
  releaseGate: operator,
  resolveFlag: operator,
  retryShop: operator,
  revokeDevice: confirmed(operator),
  setMode: operator,
  // The event, its record, and the machine.
  appliance: admin,
  applyEvent: confirmed(admin),
  backup: confirmed(admin),
  backupToStick: confirmed(admin),
  checkEvent: admin,
  checkMap: admin,
  connectShop: admin,
  encryptedBackup: confirmed(admin),
  eventDraft: admin,
  export: admin,
  importColumns: admin,
  importKinds: admin,
  importMap: admin,
  importTickets: admin,
  mapDraft: admin,
  inviteBox: confirmed(admin),
  obtainCertificate: admin,
  promoteBox: confirmed(admin),
  removeBox: confirmed(admin),
  report: admin,
  restart: admin,
  rollback: confirmed(admin),
  saveEvent: admin,
  saveMap: admin,
  seal: admin,
  sendUpdate: confirmed(admin),
  setTime: confirmed(admin),
  shopTrial: admin,
  startRehearsal: confirmed(admin),
  updateFromStick: confirmed(admin),
  updateState: admin,
  // The staff.
  acknowledgeAdminToken: admin,
  addPerson: confirmed(admin),
  apiTokens: admin,
  changePerson: confirmed(admin),
  endSession: admin,
  inviteTablet: confirmed(admin),
  makeApiToken: confirmed(admin),
  passkeys: admin,
  removePasskey: confirmed(admin),
  removePerson: confirmed(admin),
  revokeApiToken: confirmed(admin),
  rotateAdminToken: confirmed(admin),
  staff: admin,
  verify: admin,
} as const satisfies Record<OperationId, Grant>

/** Undefined for an operation that has no row. @param operationId of the OpenAPI document */
export function grantOf(operationId: string | undefined): Grant | undefined {
  if (operationId === undefined || !Object.hasOwn(OPERATIONS, operationId)) return undefined
  return OPERATIONS[operationId as OperationId]
}

/**
 * True if a role may use an operation. Nobody may use one that has no row.
 * @param only operations to which a token is limited; absent for all of the role
 */
export function mayUse(role: StaffRole, operationId: string | undefined, only?: ReadonlySet<string>): boolean {
  const grant = grantOf(operationId)
  if (!grant || operationId === undefined || !INCLUDES[role].includes(grant.role)) return false
  return only === undefined || only.has(operationId)
}

/** True if a paired device may use an operation of the device tier: a supervisor's may use those of every scanner too. */
export function deviceMayUse(
  { supervisor }: { readonly supervisor: boolean },
  operationId: string | undefined,
): boolean {
  const role = grantOf(operationId)?.role
  return role === 'scanner' || (role === 'supervisor' && supervisor)
}
