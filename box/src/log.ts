/** Structured logs: a line is an event name and fields. No ticket id, code, token or name is ever one of them. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { GatehouseError } from './errors.ts'

export type { Logger }

/** The levels of the log, from everything to nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // Under the key of its own choice pino would add the error's message to the line, as it is.
    errorKey: 'thrown',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Ours, the file system's and SQLite's: their messages name files and columns, never what was in them. */
const PLAIN_MESSAGE = /^(E[A-Z0-9]+|SQLITE_\w+)$/

/** Logs the stack always, and the message only if it is known not to repeat input: JSON.parse quotes the text. */
function describeError(error: Error & { code?: string }) {
  const { name, code, message, stack = '' } = error
  const plain = error instanceof GatehouseError || PLAIN_MESSAGE.test(code ?? '')
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return { name, code, ...(plain && { message }), frames: frames.map((line) => line.trim()) }
}
