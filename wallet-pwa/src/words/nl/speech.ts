import { speechOf } from '@gatehouse/proto/speech.ts'

export const speech = speechOf('nl-NL')
