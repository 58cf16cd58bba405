import { defineConfig } from 'vite'
import { appConfig } from '../box/dev/apps.ts'

export default defineConfig(appConfig('wallet'))
