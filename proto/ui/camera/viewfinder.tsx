/** The camera's picture, with a frame to hold the code into; where there is none, the reason and the remedy. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Camera } from './camera.ts'
import type { Decoder } from './decoder.ts'
import { readFrames, type Sight } from './frames.ts'
import type { Failure } from './messages.ts'
import type { Trouble } from './trouble.ts'
import './viewfinder.css'

/** Texts of the app that shows it. */
export interface ViewfinderWords {
  viewfinder: string
  opening: string
  open: string
  reader: Record<Failure, string>
  trouble: Record<Trouble, { what: string; remedy: string }>
  /** Input that works without a camera. */
  wedgeWorks: string
}

interface ViewfinderProps {
  say: ViewfinderWords
  camera: Camera
  decoder: Decoder
  sighted: (sight: Sight) => void
  resting: () => boolean
}

export function Viewfinder({ say, camera, decoder, sighted, resting }: ViewfinderProps): JSX.Element {
  const video = useRef<HTMLVideoElement>(null)
  const state = camera.state.value
  const stream = state.kind === 'open' ? state.stream : null

  useEffect(() => {
    camera.use()
    return () => camera.release()
  }, [camera])
  useEffect(() => {
    const element = video.current
    if (!element || !stream) return
    element.srcObject = stream
    void element.play().catch(() => {
      // Refused while the page is hidden; it plays by itself when it is seen again.
    })
    return readFrames(element, decoder, sighted, { frozen: () => void camera.reopen(), resting })
  }, [stream, decoder])

  return (
    <div class="viewfinder" data-state={state.kind}>
      <video ref={video} class="viewfinder-video" muted playsInline autoPlay aria-label={say.viewfinder} />
      {state.kind === 'open' && (
        <svg class="viewfinder-frame" viewBox="0 0 100 100" aria-hidden="true">
          <path d="M3 25V3H25M75 3H97V25M97 75V97H75M25 97H3V75" />
        </svg>
      )}
      {state.kind === 'opening' && <p class="viewfinder-note">{say.opening}</p>}
      {decoder.failure.value && (
        <p class="viewfinder-note" role="status">
          {say.reader[decoder.failure.value]}
        </p>
      )}
      {state.kind === 'trouble' && (
        <div class="viewfinder-trouble" role="status">
          <p class="viewfinder-what">{say.trouble[state.trouble].what}</p>
          <p>{say.trouble[state.trouble].remedy}</p>
          <p>{say.wedgeWorks}</p>
          <button type="button" onClick={() => void camera.reopen()}>
            {say.open}
          </button>
        </div>
      )}
    </div>
  )
}
