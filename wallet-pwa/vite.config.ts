import { defineConfig } from 'vite'
import { appConfig } from '../apps.ts'

export default defineConfig(appConfig('wallet'))
