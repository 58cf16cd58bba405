/** Structured logs: a line is an event name and fields. No ticket id, code, token or name is ever one of them. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // A request carries tokens and ticket ids in its headers and URL: of it, only the method and the route are logged.
    serializers: {
      req: () => undefined,
      res: () => undefined,
      err: (error: Error & { code?: string }) => ({
        name: error.name,
        code: error.code,
        message: error.message,
        stack: error.stack,
      }),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
