// The colours of a map: on paper, and for screens in the dark. Symbols of amenities have the same in both.

export interface MapColours {
  readonly paper: string
  readonly ink: string
  /** Inside signs and around symbols. */
  readonly bright: string
  readonly halo: string
  readonly way: string
  readonly wayEdge: string
  readonly wayName: string
  readonly rule: string
  readonly route: string
  readonly entrance: string
  readonly notStepFree: string
  readonly unverified: string
  /** Of the names of zones; null for each zone's own colour, which is dark enough on paper alone. */
  readonly zoneName: string | null
}

export const PAPER: MapColours = {
  paper: '#f6f3ec',
  ink: '#1f2933',
  bright: '#fff',
  halo: '#fffdf8',
  way: '#fffdf8',
  wayEdge: '#bdb4a2',
  wayName: '#6b6250',
  rule: '#d9d1c1',
  route: '#1257d6',
  entrance: '#0f7b3f',
  notStepFree: '#c62828',
  unverified: '#b26a00',
  zoneName: null,
}

export const NIGHT: MapColours = {
  paper: '#141b23',
  ink: '#e8edf2',
  bright: '#0b1016',
  halo: '#0b1016',
  way: '#3d4a58',
  wayEdge: '#0b1016',
  wayName: '#c5cfd9',
  rule: '#3c4957',
  route: '#7db8f5',
  entrance: '#6fd39b',
  notStepFree: '#ff8f98',
  unverified: '#f2b65a',
  zoneName: '#e8edf2',
}
