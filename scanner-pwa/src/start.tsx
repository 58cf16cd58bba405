import '@gatehouse/proto/ui/base.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { ScannerError } from './gate/model.ts'
import { openModel, openPage, type Page } from './model.ts'
import { words } from './words/words.ts'

const root = document.getElementById('app')
if (root) void start(root)

async function start(root: HTMLElement): Promise<void> {
  const page = openPage()
  render(<p class="opening">{words.opening}</p>, root)
  try {
    render(<App {...(await openModel(page))} />, root)
  } catch (error) {
    console.error(error)
    render(
      <div class="opening">
        <p role="alert">{error instanceof ScannerError ? error.message : words.doesNotOpen}</p>
        <button type="button" class="primary" onClick={() => startAgain(page)}>
          {words.again}
        </button>
      </div>,
      root,
    )
  }
}

/** Loads the page again, with the invite that it was opened with. */
function startAgain({ invite }: Page): void {
  if (invite.peek() !== null) history.replaceState(null, '', `#${invite.peek()}`)
  location.reload()
}
