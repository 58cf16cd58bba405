/** This browser: light or dark, whether the page opens without network, and whether it makes a noise. */
import { registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { themeSignal } from '@gatehouse/proto/ui/theme.ts'

export const offline = registerOffline('/dashboard/')
export const theme = themeSignal()
