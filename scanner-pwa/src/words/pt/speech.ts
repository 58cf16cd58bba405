import { fullSpeechOf } from '@gatehouse/proto/full-speech.ts'

export const speech = fullSpeechOf('pt-PT')
