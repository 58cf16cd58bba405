import { fullSpeechOf } from '@gatehouse/proto/full-speech.ts'

export const speech = fullSpeechOf('nl-NL')
