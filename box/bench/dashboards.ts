/** Control rooms that follow the box's stream, in a process of their own. */
import { fileURLToPath } from 'node:url'
import { Connection, type Credentials } from './connection.ts'
import { OwnProcess, serve } from './own-process.ts'

interface Task {
  port: number
  /** With the admin token. */
  admin: Credentials
  /** Open so many, or close all that are open: 0. */
  count: number
}

interface Followed {
  /** Events with statistics that they have received since they were opened. */
  events: number
}

export class Dashboards implements AsyncDisposable {
  readonly #process: OwnProcess
  readonly #task: Omit<Task, 'count'>

  private constructor(ownProcess: OwnProcess, task: Omit<Task, 'count'>) {
    this.#process = ownProcess
    this.#task = task
  }

  static async start(task: Omit<Task, 'count'>): Promise<Dashboards> {
    return new Dashboards(await OwnProcess.start(fileURLToPath(import.meta.url)), task)
  }

  /** @returns when each has its first event */
  async open(count: number): Promise<void> {
    await this.#process.ask({ ...this.#task, count })
  }

  /** @returns how many events with statistics all of them together have received */
  async close(): Promise<number> {
    return ((await this.#process.ask({ ...this.#task, count: 0 })) as Followed).events
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]()
  }
}

const open: Connection[] = []
let events = 0
if (import.meta.main) serve(follow)

async function follow({ port, admin, count }: Task): Promise<Followed> {
  const before = events
  for (const dashboard of open.splice(0)) dashboard.close()
  events = 0
  for (let n = 0; n < count; n++) {
    const dashboard = await Connection.open(port, admin)
    open.push(dashboard)
    await dashboard.follow('/v1/admin/stream', (lines) => {
      if (lines.includes('event: stats')) events++
    })
  }
  return { events: before }
}
