import { speechOf } from '@gatehouse/proto/speech.ts'

export const speech = speechOf('pt-PT')
