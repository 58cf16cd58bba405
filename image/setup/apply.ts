/**
 * Applies `gatehouse.toml`, once at each start, before network and box; once more in part when the guide has made the first event. No
 * mistake in the file prevents the start of the box: mistakes are written to `problems.json`, which the box's page shows, and to
 * `gatehouse-problems.txt` beside the file.
 */

import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { chmod, chown, cp, lchown, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readInviteText } from '../../box/src/ca/box-invite.ts'
import { createDurably } from '../../box/src/durable-file.ts'
import { coded } from '../../proto/said.ts'
import type { WhyNot } from './event-folder.ts'
import { type CertificateProblem, FEED_ENV, type GuidesEvent, type Plan, plan, problemsText } from './plan.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Problem } from './settings-file.ts'

/** The number of mistakes that the box's page has room for. */
const MOST_MISTAKES = 12
/** Of the event file that is looked at for its id, in bytes: eight times what the guide writes. */
const LARGEST_EVENT_FILE = 4 * 1024 * 1024
/** The box's user and group, as in sysusers.d. */
const BOX = { uid: 880, gid: 880 }

/** Files of the boot partition, and what `gatehouse.toml` among them asks for. */
interface Given {
  /** The folder that is used in place of `/`: a test has its own. */
  readonly root: string
  readonly boot: string
  readonly run: string
  readonly eventFolder: string
  readonly files: ReadonlySet<string>
  readonly settings: Settings
  readonly problems: Problem[]
}

/** Reported for a file without mistakes too: nobody may take the demo for their event. */
const NO_EVENT =
  'is not set: the box shows its demo event until it is, or until an event is made on the screen Event of the control room'

/**
 * @param root `/`, or the folder that a test has in its place
 * @param isRunning the box runs, and the guide has made its first event: only what follows from that is written, and what somebody
 *   has edited meanwhile waits for the next start
 * @returns the mistakes that it has reported
 */
export async function applySettings(root: string, { isRunning = false } = {}): Promise<readonly Problem[]> {
  const given = await readGiven(root)
  const { settings, files, problems, eventFolder } = given
  if (isRunning && (settings.event ?? settings.meshInvite) !== undefined) return []
  await mkdir(dirname(eventFolder), { recursive: true })
  const event = await ownEvent(given)
  const guides = await guidesEvent(root)
  if (!event && !guides && settings.event === undefined && settings.meshInvite === undefined)
    problems.push({ where: 'box.event', message: NO_EVENT, coded: [coded('no_event')] })

  const planned = plan(settings, {
    files,
    event: event && { folder: '/data/event', id: event.id },
    guidesEvent: guides,
    certificateProblem: await certificateProblem(given),
    providerProblem: await providerProblem(given),
    ledgers: await ledgers(root),
    now: Date.now(),
  })
  problems.push(...planned.problems)
  for (const { path, text, mode } of planned.planned)
    if (!isRunning || path === FEED_ENV) await put(root, path, text, mode)
  if (!isRunning) {
    await copyNamed(given)
    await setHostName(root, settings.name)
    if (settings.showAdminToken) await showAdminToken(planned, given)
  }
  await put(root, '/run/gatehouse/problems.json', `${JSON.stringify({ problems }, null, 2)}\n`, 0o644)
  await report(given)
  return problems
}

async function readGiven(root: string): Promise<Given> {
  const boot = join(root, 'boot/firmware')
  const entries = await readdir(boot, { withFileTypes: true }).catch(() => [])
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const text = await readFile(join(boot, 'gatehouse.toml'), 'utf8').catch(() => undefined)
  const { settings, problems } = readSettings(text ?? '')
  if (text === undefined)
    problems.push({
      where: 'gatehouse.toml',
      message: 'is not there, or cannot be read: the box runs without any setting',
      coded: [coded('no_settings')],
    })
  const [run, eventFolder] = [join(root, 'run/gatehouse'), join(root, 'data/event')]
  return { root, boot, run, eventFolder, files, settings, problems }
}

/** Ids of the events that this box has a ledger of. */
async function ledgers(root: string): Promise<Set<string>> {
  const folder = join(root, 'data/box')
  const names = await readdir(folder).catch(() => [])
  return new Set(names.filter((name) => existsSync(join(folder, name, 'ledger.db'))))
}

/**
 * The event that the guide has written, which the box opens as soon as its file is there. The file is the box's: if somebody has
 * taken over its user, it may be a link or a pipe, so no link is followed, nothing is waited for, and of the content only the id is
 * compared.
 */
async function guidesEvent(root: string): Promise<GuidesEvent | undefined> {
  const path = join(root, 'data/box/demo/own/event/event.json')
  if (!existsSync(path)) return undefined
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile() || found.size > LARGEST_EVENT_FILE) return { id: undefined }
    const { id } = JSON.parse(await file.readFile('utf8')) as { id?: unknown }
    return { id: typeof id === 'string' ? id : undefined }
  } catch {
    return { id: undefined }
  }
}

/** Reason why the box cannot use the organiser's certificate; undefined if it can, or there is none. */
async function certificateProblem({ boot, files, settings: { tls } }: Given): Promise<CertificateProblem | undefined> {
  if (!tls || !files.has(tls.certificate) || !files.has(tls.key)) return undefined
  const { CertificateUnusable, readOrganiserCertificate } = await import('../../box/src/ca/server-identity.ts')
  const nameIn = (text: string) => text.replaceAll(`${boot}/`, '')
  try {
    await readOrganiserCertificate(join(boot, tls.certificate), join(boot, tls.key), Date.now())
    return undefined
  } catch (error) {
    const unusable = error instanceof CertificateUnusable ? error.why : undefined
    const { code, values = {} } = unusable ?? coded('file_unreadable', { file: tls.certificate })
    const named = Object.entries(values).map(([name, value]) => [name, nameIn(String(value))])
    const message = nameIn((error as Error).message).replace(/\.$/, '')
    return { message, coded: coded(code, Object.fromEntries(named)) }
  }
}

/** The mistake for which the box would refuse to start; undefined where there is none, or no provider. */
async function providerProblem({ boot, files, settings: { oidc } }: Given): Promise<Problem | undefined> {
  if (!oidc || !files.has(oidc.secret)) return undefined
  const secret = await readFile(join(boot, oidc.secret), 'utf8').catch(() => '')
  if (secret.trim() === '')
    return {
      where: 'oidc.secret',
      message: `names ${oidc.secret}, which holds no secret: write the provider's into it`,
      coded: [coded('no_secret', { file: oidc.secret })],
    }
  if (oidc.ca === undefined || !files.has(oidc.ca)) return undefined
  try {
    new X509Certificate(await readFile(join(boot, oidc.ca)))
    return undefined
  } catch {
    const message = `names ${oidc.ca}, which is no certificate in PEM`
    return { where: 'oidc.ca', message, coded: [coded('no_certificate', { file: oidc.ca })] }
  }
}

/**
 * Brings the event of the settings into place. The code that reads an event is loaded only when there is one, because that takes a
 * second on a board.
 * @returns the event that the box opens with; undefined: the demo event, or the event of the invite
 */
async function ownEvent(given: Given): Promise<{ id: string } | undefined> {
  const { root, boot, eventFolder, settings, problems } = given
  if (settings.event === undefined && !existsSync(join(eventFolder, 'event.json'))) return undefined
  const { readEvent } = await import('../../box/src/event/event.ts')
  if (settings.event !== undefined) {
    const { bringEvent } = await import('./event-folder.ts')
    const wrong = await bringEvent(join(boot, settings.event), eventFolder, mistakesIn)
    if (wrong !== undefined)
      problems.push({
        where: 'box.event',
        message: `${settings.event} ${wrong.text}`,
        coded: [{ ...wrong.coded, values: { ...wrong.coded.values, name: settings.event } }],
      })
    // The new folder was made for root alone.
    await chmod(eventFolder, 0o750).catch(() => {})
    if (root === '/') await chown(eventFolder, BOX.uid, BOX.gid).catch(() => {})
  }
  const found = await readEvent(eventFolder).catch(() => undefined)
  // Without box.event in the file, an invite to another event replaces the event that the box had.
  const invite = settings.event === undefined && readInviteText(settings.meshInvite ?? '')
  return invite && invite.as !== 'voter' && invite.eventId !== found?.id ? undefined : found
}

/** The file of problems has a limit, and this list is in it twice. */
const LONGEST_LIST = 2_000

/** The mistakes in an event's folder because of which the box would refuse it, as a text and as a code; undefined if there are none. */
async function mistakesIn(folder: string): Promise<WhyNot | undefined> {
  const { checkFolder } = await import('../../box/src/boot/check-folder.ts')
  const { EventFileError, formatMistakes } = await import('../../box/src/event/mistakes.ts')
  try {
    await checkFolder(folder)
    return undefined
  } catch (error) {
    if (!(error instanceof EventFileError)) throw error
    const { mistakes } = error
    const more = mistakes.length > MOST_MISTAKES ? `\nand ${mistakes.length - MOST_MISTAKES} more` : ''
    const list = formatMistakes(mistakes.slice(0, MOST_MISTAKES)) + more
    return {
      text: `has mistakes:\n${list.replaceAll(/^/gm, '      ')}`,
      coded: coded('event_mistakes', { mistakes: list.slice(0, LONGEST_LIST) }),
    }
  }
}

async function put(root: string, path: string, text: string, mode: number): Promise<void> {
  const target = join(root, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text, { mode })
  await chmod(target, mode)
}

/** Copies the files that the settings name. Only the box's user can read certificate and key; the change feed reads the authority of HQ too. */
async function copyNamed({ root, boot, run, files, settings }: Given): Promise<void> {
  const copies: [string | undefined, string, number?][] = [
    [settings.tls?.certificate, 'tls/certificate.pem'],
    [settings.tls?.key, 'tls/key.pem'],
    [settings.certificate?.dns?.secret, 'certificate/dns-secret'],
    [settings.certificate?.ca, 'certificate/ca.pem'],
    [settings.oidc?.secret, 'oidc/secret'],
    [settings.oidc?.ca, 'oidc/ca.pem'],
    [settings.hq?.ca, 'hq/ca.pem', 0o644],
    [files.has('authorized_keys') ? 'authorized_keys' : undefined, 'ssh/authorized_keys'],
  ]
  for (const [from, to, mode = 0o600] of copies) {
    if (from === undefined || !files.has(from)) continue
    const target = join(run, to)
    await mkdir(dirname(target), { recursive: true })
    await cp(join(boot, from), target, { dereference: false, force: true })
    await chmod(target, mode)
    if (root === '/' && !to.startsWith('ssh')) await chown(target, BOX.uid, BOX.gid)
  }
}

async function setHostName(root: string, name: string): Promise<void> {
  if (root === '/') await writeFile('/proc/sys/kernel/hostname', name)
}

/**
 * Writes the admin token to the boot partition, once for each token. Anybody who takes the card out afterwards can read it there, and the
 * file says so. Another event has another token, and so has a restored backup, so a digest of the token that was shown last is kept.
 */
async function showAdminToken({ dataDir, joins }: Plan, { root, boot }: Given): Promise<void> {
  const token = join(root, dataDir, 'admin-token')
  // In a folder of root, where the box cannot put a link that makes root write elsewhere.
  const shown = join(root, 'data/system/admin-token-shown')
  // All boxes of an event have one token. A box that has not joined yet does not have it, and shows it at the next start.
  if (joins && !existsSync(token)) return
  await mkdir(dirname(token), { recursive: true })
  await mkdir(dirname(shown), { recursive: true })
  // If the box has never started, the token is made here, and the box uses it.
  await createDurably(token, `${randomBytes(32).toString('base64url')}\n`)
  if (root === '/') for (const path of [dirname(token), token]) await lchown(path, BOX.uid, BOX.gid)
  // The folder belongs to the box's user. If somebody has taken over that user, a link in the folder must not make root change the owner of
  // another file, or show its content: so lchown above, and no links here.
  const flag = constants.O_RDONLY | constants.O_NOFOLLOW
  const text = (await readFile(token, { encoding: 'utf8', flag }).catch(() => '')).trim()
  if (text === '') return
  const digest = createHash('sha256').update(text).digest('hex')
  if ((await readFile(shown, 'utf8').catch(() => '')) === digest) return
  await writeFile(
    join(boot, 'admin-token.txt'),
    `${text}\n\nThis is the admin token of this box. Keep it as you would keep the tickets, then delete this file.\n`,
  )
  await writeFile(shown, digest)
}

/** Writes the report for the operator, only if it has changed, because each write wears the card. */
async function report({ boot, problems }: Given): Promise<void> {
  const path = join(boot, 'gatehouse-problems.txt')
  const text = problemsText(problems, `gatehouse.toml as it was read when this box last started.`)
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text).catch(() => {})
}
