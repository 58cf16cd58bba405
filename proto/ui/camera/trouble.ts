/** The reasons for a missing picture, by the remedy that a person has. */

export type Trouble = 'denied' | 'absent' | 'busy' | 'lost' | 'insecure' | 'unknown'

/** The reason behind an error of `getUserMedia`. The names are those of the Media Capture specification, and of older browsers. */
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

/** True where opening the camera once more may help. A denied camera is opened again only when a person asks for it. */
export function mayHealItself(trouble: Trouble): boolean {
  return trouble === 'lost' || trouble === 'busy'
}
