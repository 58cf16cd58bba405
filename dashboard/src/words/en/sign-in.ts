/** The sentences of signing in that the first screen does without, in English. */
export const signInWords = {
  with: (host: string) => `Sign in with ${host}`,
  elsewhere: (host: string) => `To sign in with ${host}, open this page by its name`,
  going: 'Asking the box …',
  empty: 'Type your name and your PIN.',
  wrong: 'Name or PIN is wrong. Try again, or ask an admin for a new PIN.',
  changeTitle: 'Who takes over?',
  confirmTitle: 'Your PIN, please',
  confirmText: (name: string) => `This cannot be undone. Only ${name} can go on.`,
  confirm: 'Go on',
  passkey: 'Sign in with a passkey',
  passkeyElsewhere: 'To sign in with a passkey, open this page by its name',
  passkeyNone: 'No passkey was given. Try again, or go on with name and PIN.',
  passkeyThere: 'This device has a passkey for you already.',
  passkeyWrong: 'This passkey does not work here. Go on with name and PIN.',
}
