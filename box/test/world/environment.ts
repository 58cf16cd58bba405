import { join } from 'node:path'
import type { Environment } from '../../src/config.ts'
import type { EventFile } from '../../src/event/event.ts'
import { writeEventFolder } from './event.ts'

export interface EnvironmentOptions {
  event?: EventFile
  tickets?: readonly string[]
  /** The event's map, GeoJSON; none by default. */
  venue?: string
  /** Settings that differ from the defaults here. */
  environment?: Environment
}

/** Settings of a box that keeps everything in `folder` and listens on free ports of this machine only. */
export function environmentIn(folder: string, { environment, ...event }: EnvironmentOptions): Environment {
  return {
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_EVENT_DIR: writeEventFolder(join(folder, 'event'), event),
    GATEHOUSE_HOST: '127.0.0.1',
    GATEHOUSE_PUBLIC_HOST: '127.0.0.1',
    GATEHOUSE_HTTP_PORT: '0',
    GATEHOUSE_HTTPS_PORT: '0',
    GATEHOUSE_DEVICE_PORT: '0',
    GATEHOUSE_MDNS: '0',
    ...environment,
  }
}
