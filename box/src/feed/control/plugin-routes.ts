/** The routes that sinks mount below `/plugins/<sinkId>`. */
import type { PluginHandler } from '../sink.ts'

const PATH = /^\/[\w.~/-]{0,200}$/

export class PluginRoutes {
  readonly #handlers = new Map<string, PluginHandler>()

  /** @throws when the path is invalid or taken: a plugin's author learns of it at the start and not at the first request */
  mount(sinkId: string, method: string, path: string, handler: PluginHandler): void {
    if (!PATH.test(path)) throw new Error(`The sink "${sinkId}" mounts a path that is none: ${JSON.stringify(path)}`)
    const name = `${method} ${sinkId} ${path}`
    if (this.#handlers.has(name)) throw new Error(`The sink "${sinkId}" mounts ${method} ${path} twice`)
    this.#handlers.set(name, handler)
  }

  /** @param path as requested: with escapes it is another path */
  find(method: string, path: string): PluginHandler | undefined {
    const [, sinkId, rest] = /^\/plugins\/([a-z0-9_-]+)(\/.*)$/.exec(path) ?? []
    return sinkId === undefined ? undefined : this.#handlers.get(`${method} ${sinkId} ${rest}`)
  }
}
