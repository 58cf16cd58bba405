/** The files that the settings become on this machine. Pure. */

import { type MeshInvite, readInviteText } from '../../box/src/ca/box-invite.ts'
import { iso } from '../../box/src/clock/iso.ts'
import { coded } from '../../proto/said.ts'
import { INVITE, type SettingCode } from './forms.ts'
import { accessPoint, wifiClient, wiredNetwork } from './network-files.ts'
import { file, type PlannedFile } from './planned-file.ts'
import type { Oidc, PublicName, Settings } from './settings.ts'
import type { Problem } from './settings-file.ts'

export interface Machine {
  /** Path of the event's folder, and the event's id; undefined: that of the guide, or the demo event. */
  event: { folder: string; id: string } | undefined
  /** The event that the guide has written while the box showed the demo; undefined: it has written none. */
  guidesEvent?: GuidesEvent | undefined
  /** Names of the files on the boot partition. */
  files: ReadonlySet<string>
  /** Reason why the organiser's certificate cannot be used; undefined: it can, or there is none. */
  certificateProblem: CertificateProblem | undefined
  /** Reason why the provider's secret or its authority cannot be used; undefined: they can, or there is none. */
  providerProblem?: Problem | undefined
  /** Ids of the events that this box has a ledger of. */
  ledgers: ReadonlySet<string>
  /** Unix ms, by a clock that may be behind. */
  now: number
}

export interface CertificateProblem {
  /** Without a full stop. */
  message: string
  coded: SettingCode
}

export interface GuidesEvent {
  /** Undefined where its file does not say it. */
  readonly id: string | undefined
}

export interface Plan {
  planned: PlannedFile[]
  problems: Problem[]
  /** Folder of ledger, keys and token. */
  dataDir: string
  /** The box gets them from another box, at its first start. */
  joins: boolean
}

/** Names the folder whose ledger the change feed follows. */
export const FEED_ENV = '/run/gatehouse/feed.env'

/** The folder of a box that no event was given to, and the ledger that it has once the guide has written one (box/src/config.ts). */
const DEMO = '/data/box/demo'
const GUIDES_LEDGER = `${DEMO}/own/data`

/** Of handhelds with pretixSCAN. */
const PRETIXSCAN_PORT = 8445

/** Number of the change feed's group, as in overlay/usr/lib/sysusers.d/gatehouse.conf. */
const FEED_GROUP = '881'

/**
 * All files are written at each start, to a root file system in memory that is empty of them: no setting of an earlier start remains.
 * @returns the files, and the problems of settings that cannot be used on this machine
 */
export function plan(settings: Settings, machine: Machine): Plan {
  const { files } = machine
  const { name, wired, wifi, timeServers } = settings
  const problems: Problem[] = []
  const invite = usableInvite(settings.meshInvite, machine, problems)
  const { named, dataDir } = foldersOf(machine, invite)
  const planned = [
    file('/etc/hostname', [name]),
    file('/etc/hosts', ['127.0.0.1 localhost', `127.0.1.1 ${name}`, '::1 localhost ip6-localhost']),
    // Readable by root only, because an invite may be in it.
    file('/run/gatehouse/box.env', environment(settings, { dataDir: named, invite, machine, problems }), 0o600),
    file(FEED_ENV, [`GATEHOUSE_DATA_DIR=${dataDir}`]),
  ]
  // gatehouse-own-event.path waits for the guide only then.
  if (dataDir === DEMO) planned.push(file('/run/gatehouse/no-event', ['the demo event is shown']))
  if (wired) planned.push(file('/etc/systemd/network/05-wired.network', wiredNetwork(wired)))
  if (timeServers.length > 0) {
    const lines = timeServers.map((server) => `server ${server} iburst prefer`)
    planned.push(file('/run/gatehouse/chrony.d/servers.conf', lines))
  }
  if (wifi.mode === 'client') planned.push(...wifiClient(wifi))
  if (wifi.mode === 'access-point') planned.push(...accessPoint(wifi, name, settings.certificate?.name))
  if (files.has('authorized_keys')) {
    planned.push(file('/run/gatehouse/ssh/wanted', ['a key is on the boot partition']), openPort('ssh', 22))
  }
  if (settings.pretixScan) planned.push(openPort('pretixscan', PRETIXSCAN_PORT))
  return { planned, problems, dataDir, joins: invite !== undefined }
}

/** A rule of the firewall, beside those of overlay/etc/nftables.conf. */
function openPort(name: string, port: number): PlannedFile {
  return file(`/run/gatehouse/nftables.d/${name}.nft`, [`add rule inet gatehouse input tcp dport ${port} accept`])
}

/**
 * @returns the folder that the box's environment names, and the one with ledger, keys and token: another one where the guide has
 *   written an event, which the box itself finds there
 */
function foldersOf(machine: Machine, invite: MeshInvite | undefined): { named: string; dataDir: string } {
  const { event, guidesEvent, ledgers } = machine
  const one = (folder: string) => ({ named: folder, dataDir: folder })
  // The event that the guide wrote, now on the card: with the tickets and scanners that it has.
  if (event && event.id === guidesEvent?.id && !ledgers.has(event.id)) return one(GUIDES_LEDGER)
  const id = event?.id ?? invite?.eventId
  if (id !== undefined) return one(`/data/box/${id}`)
  return { named: DEMO, dataDir: guidesEvent ? GUIDES_LEDGER : DEMO }
}

/** Reads the invite; if it cannot be used, adds the reason to `problems`. */
function usableInvite(
  text: string | undefined,
  { event, ledgers, now }: Machine,
  problems: Problem[],
): MeshInvite | undefined {
  if (text === undefined) return undefined
  const invite = readInviteText(text)
  const wrong = (message: string, ...coded: SettingCode[]) =>
    void problems.push({ where: 'mesh.invite', message, coded })
  if (!invite)
    return wrong('is not the invite as the other box printed it: it begins with gatehouse-mesh:https://', INVITE.coded)
  if (invite.as === 'voter')
    return wrong('is for a machine that only votes: mint one for a box', coded('invite_for_voter'))
  if (event && event.id !== invite.eventId)
    return wrong(
      `is for the event ${invite.eventId}, and box.event is ${event.id}: leave out one of them`,
      coded('invite_for_other', { event: invite.eventId, own: event.id }),
    )
  // An expired invite is tried nevertheless, because the other box decides by its own clock. After a box has joined, its invite stays in the
  // file and expires; that is not a problem.
  if (invite.expiresAt <= now && !ledgers.has(invite.eventId)) {
    const at = iso(invite.expiresAt).slice(0, 16).replace('T', ' ')
    wrong(
      `expired at ${at} UTC: mint another one at the other box. Until then, this box waits`,
      coded('invite_expired', { at }),
    )
  }
  return invite
}

function environment(
  { publicHost, walletOverHttp, lookUp, pretixScan, tls, certificate, oidc, hq, wifi, meshInvite }: Settings,
  plan: { dataDir: string; invite: MeshInvite | undefined; machine: Machine; problems: Problem[] },
): string[] {
  const { dataDir, invite, machine, problems } = plan
  const { event } = machine
  const env: Record<string, string> = {
    GATEHOUSE_DATA_DIR: dataDir,
    ...(event && { GATEHOUSE_EVENT_DIR: event.folder }),
    // The other box sends the event's folder; it goes to a path where this box may write.
    ...(!event && invite && { GATEHOUSE_EVENT_DIR: `/data/box/${invite.eventId}-event` }),
    ...(invite && { GATEHOUSE_MESH_INVITE: meshInvite ?? '' }),
    GATEHOUSE_HTTP_PORT: '80',
    GATEHOUSE_HTTPS_PORT: '443',
    GATEHOUSE_WALLET_OVER_HTTP: walletOverHttp ? '1' : '0',
    ...(lookUp !== undefined && { GATEHOUSE_LOOK_UP: lookUp }),
    ...(pretixScan && { GATEHOUSE_PRETIXSCAN_PORT: String(PRETIXSCAN_PORT) }),
    GATEHOUSE_APPLIANCE: '/run/gatehouse',
    GATEHOUSE_FEED_GROUP: FEED_GROUP,
  }
  // On the box's own network, the access point's address is the only one that every phone can reach.
  const host = publicHost ?? (wifi.mode === 'access-point' ? wifi.address.split('/')[0] : undefined)
  if (host !== undefined) env.GATEHOUSE_PUBLIC_HOST = host
  if (tls && canShow(tls, machine, problems)) {
    env.GATEHOUSE_TLS_CERT = '/run/gatehouse/tls/certificate.pem'
    env.GATEHOUSE_TLS_KEY = '/run/gatehouse/tls/key.pem'
  }
  if (certificate) Object.assign(env, publicName(certificate, machine, problems))
  if (oidc && host === undefined)
    problems.push({
      where: 'oidc',
      message: 'needs box.public_host: the provider sends people back to that name',
      coded: [coded('needs_public_host')],
    })
  else if (oidc) Object.assign(env, provider(oidc, machine, problems))
  if (hq && isPresent('hq.ca', hq.ca, machine, problems)) {
    env.GATEHOUSE_HQ = hq.address
    env.GATEHOUSE_HQ_CA = '/run/gatehouse/hq/ca.pem'
  }
  return Object.entries(env).map(([name, value]) => `${name}=${value}`)
}

/** Whole, or nothing: without it people sign in with name and PIN. */
function provider(oidc: Oidc, machine: Machine, problems: Problem[]): Record<string, string> {
  const { issuer, clientId, secret, roles, groupsClaim, scope, prompt, ca } = oidc
  const areThere = [
    isPresent('oidc.secret', secret, machine, problems),
    ca === undefined || isPresent('oidc.ca', ca, machine, problems),
  ]
  if (areThere.includes(false)) return {}
  if (machine.providerProblem) {
    problems.push(machine.providerProblem)
    return {}
  }
  return {
    GATEHOUSE_OIDC_ISSUER: issuer,
    GATEHOUSE_OIDC_CLIENT_ID: clientId,
    GATEHOUSE_OIDC_SECRET_FILE: '/run/gatehouse/oidc/secret',
    GATEHOUSE_OIDC_ROLES: quoted(roles),
    ...(groupsClaim !== undefined && { GATEHOUSE_OIDC_GROUPS_CLAIM: groupsClaim }),
    ...(scope !== undefined && { GATEHOUSE_OIDC_SCOPE: quoted(scope) }),
    ...(prompt !== undefined && { GATEHOUSE_OIDC_PROMPT: prompt }),
    ...(ca !== undefined && { GATEHOUSE_OIDC_CA: '/run/gatehouse/oidc/ca.pem' }),
  }
}

/** One value for systemd and for the shell of the command `gatehouse`. The forms let no single quote and no backslash through. */
function quoted(value: string): string {
  return `'${value}'`
}

/** A file that is missing leaves the name without its certificate, and the box with its own. */
function publicName({ name, dns, contact, directory, ca }: PublicName, machine: Machine, problems: Problem[]) {
  const isThere = (key: string, file: string | undefined) =>
    file === undefined || isPresent(`certificate.${key}`, file, machine, problems)
  const files = [isThere('dns_secret', dns?.secret), isThere('ca', ca)]
  return {
    GATEHOUSE_CERTIFICATE_NAME: name,
    ...(dns &&
      files.every(Boolean) && {
        GATEHOUSE_ACME_DNS: dns.method,
        ...(dns.at !== undefined && { GATEHOUSE_ACME_DNS_AT: dns.at }),
        ...(dns.secret !== undefined && { GATEHOUSE_ACME_DNS_SECRET: '/run/gatehouse/certificate/dns-secret' }),
        ...(dns.record !== undefined && { GATEHOUSE_ACME_DNS_RECORD: dns.record }),
        ...(contact !== undefined && { GATEHOUSE_ACME_CONTACT: contact }),
        ...(directory !== undefined && { GATEHOUSE_ACME_DIRECTORY: directory }),
        ...(ca !== undefined && { GATEHOUSE_ACME_CA: '/run/gatehouse/certificate/ca.pem' }),
      }),
  }
}

function canShow(tls: NonNullable<Settings['tls']>, machine: Machine, problems: Problem[]): boolean {
  if (!isPresent('tls.certificate', tls.certificate, machine, problems)) return false
  if (!isPresent('tls.key', tls.key, machine, problems)) return false
  if (machine.certificateProblem === undefined) return true
  problems.push({
    where: 'tls',
    message: `${machine.certificateProblem.message}. Until then, the box shows its own`,
    coded: [machine.certificateProblem.coded, coded('shows_own_certificate')],
  })
  return false
}

function isPresent(where: string, name: string, { files }: Machine, problems: Problem[]): boolean {
  if (files.has(name)) return true
  const message = `names ${name}, which is not a file on this partition`
  problems.push({ where, message, coded: [coded('no_file', { file: name })] })
  return false
}

/** The text of `gatehouse-problems.txt`. */
export function problemsText(problems: readonly Pick<Problem, 'where' | 'message'>[], at: string): string {
  if (problems.length === 0) return `${at}\nNothing is wrong with gatehouse.toml.\n`
  return `${at}\nThe box is up. These lines of gatehouse.toml were not used:\n\n${problems.map(({ where, message }) => `  ${where} ${message}\n`).join('')}\nCorrect them here, then turn the box off and on.\n`
}
