import '@gatehouse/proto/ui/base.css'
import { registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { render } from 'preact'
import { words } from './words/en.ts'

registerOffline('/wallet/')
const root = document.getElementById('app')
if (root) render(<h1>{words.title}</h1>, root)
