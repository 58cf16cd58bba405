/**
 * Run once at each start, before network and box: reads `gatehouse.toml`, and makes it so. Nothing in the file keeps the box from
 * coming up; what is wrong in it is in `problems.json` for the box's page, and in a text beside the file.
 *
 * GATEHOUSE_SETUP_ROOT puts another folder in place of `/`, for the tests.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Plan, plan, problemsText } from './plan.ts'
import { type Problem, readSettings } from './settings.ts'

const root = process.env.GATEHOUSE_SETUP_ROOT ?? '/'
const boot = join(root, 'boot/firmware')
const run = join(root, 'run/gatehouse')
const eventFolder = join(root, 'data/event')
/** The box's user and group, as in sysusers.d. */
const BOX = { uid: 880, gid: 880 }

const files = new Set(await readdir(boot).catch(() => []))
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

const planned = plan(settings, { files, event: event && { folder: '/data/event', id: event.id } })
problems.push(...planned.problems)
for (const { path, text, mode } of planned.planned) await put(path, text, mode)
await copyNamed()
await setHostName(settings.name)
if (settings.showAdminToken) await showAdminToken(planned)
await put('/run/gatehouse/problems.json', `${JSON.stringify({ problems }, null, 2)}\n`, 0o644)
// A line for each, on the console and in the log; never what was in the file.
for (const { where, message } of problems) console.log(`gatehouse.toml: ${where} ${message}`)
await report(problems)

/** The event of the settings, or the one that came before it. What reads one is loaded where there is one: it takes a board a second. */
async function ownEvent(): Promise<{ id: string } | undefined> {
  if (settings.event === undefined && !existsSync(join(eventFolder, 'event.json'))) return undefined
  const { readEvent } = await import('../../box/src/event/event.ts')
  const { EventFileError } = await import('../../box/src/event/mistakes.ts')
  if (settings.event !== undefined) {
    const { bringEvent } = await import('./event-folder.ts')
    const wrong = await bringEvent(join(boot, settings.event), eventFolder, async (folder) => {
      try {
        await readEvent(folder)
        return undefined
      } catch (error) {
        if (!(error instanceof EventFileError)) throw error
        return `has mistakes:\n${error.message.replaceAll(/^/gm, '      ')}`
      }
    })
    if (wrong !== undefined) problems.push({ where: 'box.event', message: `${settings.event} ${wrong}` })
    // It was put together in a folder that root alone may look into.
    await chmod(eventFolder, 0o750).catch(() => {})
    if (root === '/') await chown(eventFolder, BOX.uid, BOX.gid).catch(() => {})
  }
  return readEvent(eventFolder).catch(() => undefined)
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

/** Once, when it is asked for: whoever takes the card out of the box afterwards finds it there, and the file says so. */
async function showAdminToken({ dataDir, joins }: Plan): Promise<void> {
  const token = join(root, dataDir, 'admin-token')
  const shown = join(root, 'data/system/admin-token-shown')
  if (await readFile(shown).catch(() => undefined)) return
  // All boxes of an event have one token, and this one has not got it yet: it is shown at the next start.
  if (joins && !existsSync(token)) return
  await mkdir(dirname(token), { recursive: true })
  await mkdir(dirname(shown), { recursive: true })
  // Made here where the box has not started yet: it takes what it finds.
  await writeFile(token, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (root === '/') for (const path of [dirname(token), token]) await chown(path, BOX.uid, BOX.gid)
  const text = (await readFile(token, 'utf8')).trim()
  await writeFile(
    join(boot, 'admin-token.txt'),
    `${text}\n\nThis is the admin token of this box. Keep it as you would keep the tickets, then delete this file.\n`,
  )
  await writeFile(shown, '')
}

/** Only when it says something else than last time: each write wears the card. */
async function report(problems: readonly Problem[]): Promise<void> {
  const path = join(boot, 'gatehouse-problems.txt')
  const text = problemsText(problems, `gatehouse.toml as it was read when this box last started.`)
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text).catch(() => {})
}
