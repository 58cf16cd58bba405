/**
 * An invite for a box, as a QR code or a line of text: address, event, fingerprint of the authority, and the code that
 * works once. Pure. It contains only plain characters, because on an appliance it passes from a file through a shell.
 */

/** The role of the machine that joins with it. */
export const INVITED_ROLES = ['box', 'data-centre', 'voter'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

export interface MeshInvite {
  /** The inviting box's HTTPS listener: `https://host:port`. */
  url: string
  /** `sha256:<64 hex>` of the event's authority: only a box of this event may answer. */
  fingerprint: string
  /** 128 bits, base64url. */
  code: string
  /** Unix ms. */
  expiresAt: number
  as: InvitedRole
  eventId: string
}

const SCHEME = 'gatehouse-mesh:'

/** `gatehouse-mesh:https://10.0.0.2:8443#<fingerprint>.<code>.<expiry>.<box|data-centre|voter>.<event>` */
export function inviteText({ url, fingerprint, code, expiresAt, as, eventId }: MeshInvite): string {
  const print = Buffer.from(fingerprint.replace('sha256:', ''), 'hex').toString('base64url')
  return `${SCHEME}${url}#${[print, code, Math.floor(expiresAt / 1000), as, eventId].join('.')}`
}

const FORM =
  /^gatehouse-mesh:(https:\/\/[A-Za-z0-9.:[\]-]{1,260})#([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})\.(\d{1,12})\.([a-z-]+)\.([a-z0-9][a-z0-9-]{0,63})$/

/** @returns undefined for a text that is not an invite for a box */
export function readInviteText(text: string): MeshInvite | undefined {
  const [, address = '', print = '', code = '', seconds = '', as = '', eventId = ''] = FORM.exec(text.trim()) ?? []
  const url = URL.parse(address)
  if (!url || url.origin !== address || !isInvited(as)) return undefined
  const fingerprint = `sha256:${Buffer.from(print, 'base64url').toString('hex')}`
  return { url: url.origin, fingerprint, code, expiresAt: Number(seconds) * 1000, as, eventId }
}

function isInvited(as: string): as is InvitedRole {
  return (INVITED_ROLES as readonly string[]).includes(as)
}
