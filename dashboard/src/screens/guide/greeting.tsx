/** On the overview of a box without an event of its own: the way to one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { guideWords as say } from '../../words/late.ts'

export function Greeting({ session: { client } }: Model): JSX.Element | null {
  const isDemo = useSignal(false)
  useEffect(() => {
    answered(client.GET('/v1/admin/event')).then(
      ({ demo }) => {
        isDemo.value = demo
      },
      // A box that does not answer says so everywhere else on this page.
      () => undefined,
    )
  }, [])
  if (!isDemo.value) return null
  return (
    <p class="alarm alarm-quiet">
      <strong>{say.greeting}</strong> {say.greetingText}{' '}
      <a class="button" href="#/guide">
        {say.greetingOpen}
      </a>
    </p>
  )
}
