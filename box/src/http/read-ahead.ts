/** Bounds how much of a request is read while nobody wants it yet. */
import { setDefaultHighWaterMark } from 'node:stream'

/**
 * Node reads a body before it is asked for: 64 KiB into the request and as much into its connection. Of half a megabyte that is
 * refused while it waits for its turn, 147 kB were decrypted for nothing. With a quarter of that, Node stops after the first 64 KiB
 * that it takes from a connection in one go; less is not to be had. Node up to 20 used this number.
 */
const READ_AHEAD_BYTES = 16 * 1024

/** For the whole process: Node offers no such setting for connections over TLS. Call it before the first listener opens. */
export function boundReadAhead(): void {
  setDefaultHighWaterMark(false, READ_AHEAD_BYTES)
}
