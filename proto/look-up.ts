/** Bounds of looking tickets up by name, order or seat, which the box and both apps that look up agree on. */

/** Letters and digits that a look-up needs at least: fewer would list people and find nobody. */
export const FEWEST_LETTERS = 3

/** Longest text that the box takes, as `LookUpRequest` says. */
export const LONGEST_LOOK_UP = 100

/** The box counts by itself, in its own spelling; apps say at once what it would refuse. */
export function isEnough(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS
}
