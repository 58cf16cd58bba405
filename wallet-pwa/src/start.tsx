import './wallet.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { openModel } from './model.ts'

const root = document.getElementById('app')
if (root) render(<App {...openModel()} />, root)
