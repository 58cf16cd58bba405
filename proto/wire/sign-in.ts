/** The ways in besides name and PIN: the organiser's OpenID provider, and passkeys (`passkeys.ts`). */
import { type Static, Type } from 'typebox'
import { Nullable, Shape } from './terms.ts'

const Secret = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })

export const WaysIn = Shape('WaysIn', {
  address: Type.String({ description: 'The address to open the dashboard at for these ways: they hold for one name' }),
  provider: Nullable(Type.String({ description: "Host of the organiser's OpenID provider" }), 'for none'),
  passkeys: Nullable(
    Type.String({ description: 'Public name of the box, for which passkeys hold' }),
    'where it has none with a certificate that holds now',
  ),
})
export type WaysIn = Static<typeof WaysIn>

export const BegunAtProvider = Shape('BegunAtProvider', {
  url: Type.String({ description: "The provider's page; it sends the browser back to the dashboard" }),
  state: Secret,
  secret: Type.String({ description: 'For the page that began it alone, until the browser comes back' }),
})
export type BegunAtProvider = Static<typeof BegunAtProvider>

export const ProviderAnswer = Shape('ProviderAnswer', {
  state: Secret,
  secret: Secret,
  answer: Type.String({
    maxLength: 8_192,
    pattern: '^[\\x21-\\x7e]*$',
    description: 'The query with which the provider sent the browser back, as it is',
  }),
})
export type ProviderAnswer = Static<typeof ProviderAnswer>
