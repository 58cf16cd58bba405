/** Why there is no picture, as something that a person can do something about. */

export type Trouble = 'denied' | 'absent' | 'busy' | 'lost' | 'insecure' | 'unknown'

/** What `getUserMedia` throws. The names are those of the Media Capture specification, and two that older browsers used. */
export function troubleOf(error: unknown): Trouble {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
    case 'SecurityError':
      return 'denied'
    case 'NotFoundError':
    case 'OverconstrainedError':
    case 'DevicesNotFoundError':
      return 'absent'
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'busy'
    default:
      return 'unknown'
  }
}

/** Whether opening it once more, without a person, may help: a denied camera is asked for again by nobody but a person. */
export function mayHealItself(trouble: Trouble): boolean {
  return trouble === 'lost' || trouble === 'busy'
}
