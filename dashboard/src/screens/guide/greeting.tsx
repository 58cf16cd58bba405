/** On a box without an event of its own, above what is of the demo: the way to one, or to the one that is saved and waits. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { guideWords as say } from '../../words/late.ts'

export function Greeting({ session: { client } }: Model): JSX.Element | null {
  const state = useSignal<'own' | 'demo' | 'saved'>('own')
  useEffect(() => {
    answered(client.GET('/v1/admin/event')).then(
      ({ demo, pending }) => {
        state.value = !demo ? 'own' : pending ? 'saved' : 'demo'
      },
      // A box that does not answer says so everywhere else on this page.
      () => undefined,
    )
  }, [])
  if (state.value === 'own') return null
  const isSaved = state.value === 'saved'
  return (
    <p class="alarm alarm-quiet">
      <strong>{say.greeting}</strong> {isSaved ? say.pending.text : say.greetingText}{' '}
      <a class="button" href="#/guide">
        {isSaved ? say.pending.title : say.greetingOpen}
      </a>
    </p>
  )
}
