/**
 * Run once at each start, before network and box: reads `gatehouse.toml`, and makes it so. Nothing in the file keeps the box from
 * coming up; what is wrong in it is in `problems.json` for the box's page, and in a text beside the file.
 *
 * GATEHOUSE_SETUP_ROOT puts another folder in place of `/`, for the tests.
 */
import { createHash, randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { chmod, chown, cp, lchown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDurably } from '../../box/src/durable-file.ts'
import { readInviteText } from '../../box/src/mesh/join/invite.ts'
import { type Plan, plan, problemsText } from './plan.ts'
import { type Problem, readSettings } from './settings.ts'

const root = process.env.GATEHOUSE_SETUP_ROOT ?? '/'
const boot = join(root, 'boot/firmware')
const run = join(root, 'run/gatehouse')
const eventFolder = join(root, 'data/event')
/** The box's page has room for these. */
const MOST_MISTAKES = 12
/** The box's user and group, as in sysusers.d. */
const BOX = { uid: 880, gid: 880 }

const entries = await readdir(boot, { withFileTypes: true }).catch(() => [])
const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
const text = await readFile(join(boot, 'gatehouse.toml'), 'utf8').catch(() => undefined)
const { settings, problems } = readSettings(text ?? '')
if (text === undefined)
  problems.push({
    where: 'gatehouse.toml',
    message: 'is not there, or cannot be read: the box runs without any setting',
  })

await mkdir(dirname(eventFolder), { recursive: true })
const event = await ownEvent()
if (!event && settings.event === undefined && settings.meshInvite === undefined)
  problems.push({ where: 'box.event', message: 'is not set: the box shows its demo event until it is' })

const planned = plan(settings, {
  files,
  event: event && { folder: '/data/event', id: event.id },
  certificateProblem: await certificateProblem(),
  ledgers: await ledgers(),
  now: Date.now(),
})
problems.push(...planned.problems)
for (const { path, text, mode } of planned.planned) await put(path, text, mode)
await copyNamed()
await setHostName(settings.name)
if (settings.showAdminToken) await showAdminToken(planned)
await put('/run/gatehouse/problems.json', `${JSON.stringify({ problems }, null, 2)}\n`, 0o644)
// A line for each, on the console and in the log; never what was in the file.
for (const { where, message } of problems) console.log(`gatehouse.toml: ${where} ${message}`)
await report(problems)

/** Events that this box has been a box of. */
async function ledgers(): Promise<Set<string>> {
  const folder = join(root, 'data/box')
  const names = await readdir(folder).catch(() => [])
  return new Set(names.filter((name) => existsSync(join(folder, name, 'ledger.db'))))
}

/** The box would not open with it. */
async function certificateProblem(): Promise<string | undefined> {
  const { tls } = settings
  if (!tls || !files.has(tls.certificate) || !files.has(tls.key)) return undefined
  const { readOrganiserCertificate } = await import('../../box/src/ca/server-identity.ts')
  try {
    await readOrganiserCertificate(join(boot, tls.certificate), join(boot, tls.key), Date.now())
    return undefined
  } catch (error) {
    return (error as Error).message.replaceAll(`${boot}/`, '').replace(/\.$/, '')
  }
}

/** The event of the settings, or the one that came before it. What reads one is loaded where there is one: it takes a board a second. */
async function ownEvent(): Promise<{ id: string } | undefined> {
  if (settings.event === undefined && !existsSync(join(eventFolder, 'event.json'))) return undefined
  const { readEvent } = await import('../../box/src/event/event.ts')
  if (settings.event !== undefined) {
    const { bringEvent } = await import('./event-folder.ts')
    const wrong = await bringEvent(join(boot, settings.event), eventFolder, mistakesIn)
    if (wrong !== undefined) problems.push({ where: 'box.event', message: `${settings.event} ${wrong}` })
    // It was put together in a folder that root alone may look into.
    await chmod(eventFolder, 0o750).catch(() => {})
    if (root === '/') await chown(eventFolder, BOX.uid, BOX.gid).catch(() => {})
  }
  const found = await readEvent(eventFolder).catch(() => undefined)
  // It was left out of the file, for the event of the invite.
  const invite = settings.event === undefined && readInviteText(settings.meshInvite ?? '')
  return invite && invite.as !== 'voter' && invite.eventId !== found?.id ? undefined : found
}

/** Everything in an event's folder that the box would not open with. */
async function mistakesIn(folder: string): Promise<string | undefined> {
  const { checkFolder } = await import('../../box/src/event/check-folder.ts')
  const { EventFileError, formatMistakes } = await import('../../box/src/event/mistakes.ts')
  try {
    await checkFolder(folder)
    return undefined
  } catch (error) {
    if (!(error instanceof EventFileError)) throw error
    const { mistakes } = error
    const more = mistakes.length > MOST_MISTAKES ? `\nand ${mistakes.length - MOST_MISTAKES} more` : ''
    return `has mistakes:\n${(formatMistakes(mistakes.slice(0, MOST_MISTAKES)) + more).replaceAll(/^/gm, '      ')}`
  }
}

async function put(path: string, text: string, mode: number): Promise<void> {
  const target = join(root, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text, { mode })
  await chmod(target, mode)
}

/** The organiser's certificate, for the box's user alone; the other files are no secret. */
async function copyNamed(): Promise<void> {
  const copies: [string | undefined, string][] = [
    [settings.tls?.certificate, 'tls/certificate.pem'],
    [settings.tls?.key, 'tls/key.pem'],
    [settings.hq?.ca, 'hq/ca.pem'],
    [files.has('authorized_keys') ? 'authorized_keys' : undefined, 'ssh/authorized_keys'],
  ]
  for (const [from, to] of copies) {
    if (from === undefined || !files.has(from)) continue
    const target = join(run, to)
    await mkdir(dirname(target), { recursive: true })
    await cp(join(boot, from), target, { dereference: false, force: true })
    await chmod(target, 0o600)
    if (root === '/' && !to.startsWith('ssh')) await chown(target, BOX.uid, BOX.gid)
  }
}

async function setHostName(name: string): Promise<void> {
  if (root === '/') await writeFile('/proc/sys/kernel/hostname', name)
}

/**
 * Once, when it is asked for: whoever takes the card out of the box afterwards finds it there, and the file says so. Another event
 * has another token, and so has a box that was put back from a backup: what was shown is kept as a digest.
 */
async function showAdminToken({ dataDir, joins }: Plan): Promise<void> {
  const token = join(root, dataDir, 'admin-token')
  // In root's own folder: the box must not make root write where it likes.
  const shown = join(root, 'data/system/admin-token-shown')
  // All boxes of an event have one token, and this one has not got it yet: it is shown at the next start.
  if (joins && !existsSync(token)) return
  await mkdir(dirname(token), { recursive: true })
  await mkdir(dirname(shown), { recursive: true })
  // Made here where the box has not started yet: it takes what it finds.
  await createDurably(token, `${randomBytes(32).toString('base64url')}\n`)
  if (root === '/') for (const path of [dirname(token), token]) await lchown(path, BOX.uid, BOX.gid)
  // The folder is the box's. Somebody who has taken it over must not have root give away another file, nor read it out to them.
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

/** Only when it says something else than last time: each write wears the card. */
async function report(problems: readonly Problem[]): Promise<void> {
  const path = join(boot, 'gatehouse-problems.txt')
  const text = problemsText(problems, `gatehouse.toml as it was read when this box last started.`)
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text).catch(() => {})
}
