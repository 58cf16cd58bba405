/** The ticket desk: find a ticket by name, order, seat or code, see what happened to it, and put it right. */
import './desk.css'
import { LONGEST_LOOK_UP } from '@gatehouse/proto/look-up.ts'
import { Viewfinder } from '@gatehouse/proto/ui/camera/viewfinder.tsx'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { deskWords as say } from '../../words/late.ts'
import { FindForm } from '../parts/find-form.tsx'
import { Page, Said } from '../parts/parts.tsx'
import { type Desk, useDesk } from './finding.ts'
import { Results } from './results.tsx'
import { TicketPage } from './ticket.tsx'

export function Screen(model: Model): JSX.Element {
  const desk = useDesk(model.session)
  const { problem, ticket, found, opening, reader } = desk
  useEffect(() => {
    const follow = () => {
      const linked = new URLSearchParams(location.hash.split('?')[1] ?? '').get('ticket')
      if (linked) void opening.run(linked)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return (
    <Page title={say.title} lead={say.lead}>
      <Find desk={desk} />
      {reader.value && (
        <div class="desk-camera">
          <Viewfinder
            say={say.viewfinder}
            camera={reader.value.camera}
            decoder={reader.value.decoder}
            sighted={({ texts: [text] }) => {
              if (text === undefined) return
              // One ticket at a time: the next picture shows the same code.
              desk.toggleCamera()
              void opening.run(text)
            }}
            resting={() => opening.busy.value}
          />
        </div>
      )}
      <Said bad={problem.value} />
      {found.value && !ticket.value && <Results found={found.value} open={(ref) => void opening.run(ref)} />}
      {ticket.value && (
        <>
          {found.value && (
            <p>
              <button type="button" onClick={() => (ticket.value = null)}>
                {say.back}
              </button>
            </p>
          )}
          <TicketPage key={ticket.value.ticket} model={model} desk={desk} ticket={ticket.value} />
        </>
      )}
    </Page>
  )
}

function Find({ desk: { typed, finding, reader, toggleCamera } }: { desk: Desk }): JSX.Element {
  return (
    <search>
      <FindForm
        label={say.field}
        submit={say.find}
        typed={typed}
        isBusy={finding.busy.value}
        maxLength={LONGEST_LOOK_UP}
        find={() => void finding.run()}
      >
        <button type="button" aria-pressed={reader.value !== null} onClick={toggleCamera}>
          {reader.value ? say.cameraOff : say.camera}
        </button>
      </FindForm>
    </search>
  )
}
