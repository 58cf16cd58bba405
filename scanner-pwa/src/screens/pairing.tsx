import type { Camera } from '@gatehouse/proto/ui/camera/camera.ts'
import type { Decoder } from '@gatehouse/proto/ui/camera/decoder.ts'
import { Viewfinder } from '@gatehouse/proto/ui/camera/viewfinder.tsx'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner } from '../gate/model.ts'
import type { Model } from '../model.ts'
import { isInvite } from '../pairing/invite.ts'
import { hashOf } from '../route.ts'
import type { Deleted } from '../store/paired-mark.ts'
import { screenWords } from '../words/late.ts'
import { words } from '../words/words.ts'
import { createAttempt } from './attempt.ts'
import { Page } from './page.tsx'
import { Problem } from './problem.tsx'
import './pairing.css'

type PairingProps = Pick<Model, 'scanner' | 'invite' | 'camera' | 'decoder' | 'deleted'>

const say = screenWords.pairing

export function PairingScreen({ scanner, invite, camera, decoder, deleted }: PairingProps): JSX.Element {
  const pairing = scanner.pairing.value
  const drop = () => {
    invite.value = null
  }
  if (pairing) {
    return (
      <Page title={say.title}>
        <p>{say.already(pairing.deviceName)}</p>
        <div class="stack">
          <a class="button primary big" href={hashOf('scan')} onClick={drop}>
            {say.keep}
          </a>
          <a class="button" href={hashOf('settings')} onClick={drop}>
            {words.nav.settings}
          </a>
        </div>
      </Page>
    )
  }
  const isWhole = invite.value !== null && isInvite(invite.value)
  return (
    <Page title={say.title} lead={isWhole ? say.arrived : say.none}>
      <Problem text={deleted.value && wasDeleted(deleted.value)} class="pairing-problem" />
      {!isWhole || invite.value === null ? (
        <FindInvite
          broken={invite.value !== null}
          found={(text) => (invite.value = text)}
          camera={camera}
          decoder={decoder}
        />
      ) : (
        <UseInvite scanner={scanner} text={invite.value} drop={drop} />
      )}
    </Page>
  )
}

function wasDeleted({ unsent }: Deleted): string {
  return unsent === 0 ? say.deleted : `${say.deleted} ${say.deletedUnsent(unsent)}`
}

interface UseInviteProps {
  scanner: Scanner
  text: string
  /** It was used, or is not wanted. */
  drop: () => void
}

function UseInvite({ scanner, text, drop }: UseInviteProps): JSX.Element {
  const [{ busy, problem, run }] = useState(createAttempt)
  const [name, setName] = useState(() => say.guess(platform()))
  const pair = async (event: Event) => {
    event.preventDefault()
    if (!(await run(() => scanner.pair(text, name)))) return
    drop()
    location.hash = hashOf('checkpoint')
  }
  return (
    <form onSubmit={(event) => void pair(event)}>
      <label>
        {say.name}
        <span class="hint">{say.nameHint}</span>
        <input
          value={name}
          maxLength={100}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <Problem text={problem.value} class="pairing-problem" />
      <button type="submit" class="primary big" disabled={busy.value || name.trim() === ''}>
        {busy.value ? say.pairing : say.pair}
      </button>
      <button type="button" class="wide" disabled={busy.value} onClick={drop}>
        {say.another}
      </button>
    </form>
  )
}

interface FindInviteProps {
  /** A link was opened that is no whole invite. */
  broken: boolean
  camera: Camera
  decoder: Decoder
  found: (text: string) => void
}

function FindInvite({ broken, camera, decoder, found }: FindInviteProps): JSX.Element {
  const [looking, setLooking] = useState(false)
  const [wrong, setWrong] = useState(broken)
  const take = (text: string) => {
    setWrong(!isInvite(text))
    if (isInvite(text)) found(text.trim())
  }
  const look = () => {
    setLooking(!looking)
    setWrong(false)
  }
  return (
    <>
      {looking && (
        <div class="pairing-camera">
          <Viewfinder
            say={words.camera}
            camera={camera}
            decoder={decoder}
            sighted={({ texts: [text = ''] }) => take(text)}
            resting={() => false}
          />
        </div>
      )}
      <Problem text={wrong ? say.noInvite : null} class="pairing-problem" />
      <button type="button" class={looking ? 'wide' : 'primary big'} onClick={look}>
        {looking ? say.stopCamera : say.scan}
      </button>
      <PasteInvite take={take} />
    </>
  )
}

function PasteInvite({ take }: { take: (text: string) => void }): JSX.Element {
  const [pasted, setPasted] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    take(pasted)
  }
  return (
    <form class="pairing-paste" onSubmit={submit}>
      <label>
        {say.paste}
        <input
          type="text"
          inputMode="url"
          value={pasted}
          maxLength={2048}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={pasted.trim() === ''}>
        {say.use}
      </button>
    </form>
  )
}

function platform(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform?: string } }
  const known = userAgentData?.platform ?? (/iPhone|iPad|Android/.exec(navigator.userAgent)?.[0] || '')
  return /^(Android|iPhone|iPad)$/.test(known) ? known : ''
}
