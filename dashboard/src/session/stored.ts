/**
 * The tab's copy of its session: the token, and the name of the person. In sessionStorage, which ends with the tab; never in an
 * address, which ends up in histories and screenshots. What was stored is not trusted: it may be anything.
 */

/** The box takes names of 500 characters; a token is far shorter. */
const LONGEST = 500

export interface Kept {
  read: () => string | null
  write: (value: string | null) => void
}

/**
 * One value under `key`. A browser that allows no storage keeps it for as long as the page is open.
 * @param clean what a stored or typed value must look like; null for one that is worth nothing
 */
export function kept(
  key: string,
  clean: (text: string) => string | null,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => sessionStorage,
): Kept {
  let inMemory: string | null = null
  return {
    read: () => {
      try {
        const text = storage().getItem(key)
        return text === null ? null : clean(text)
      } catch {
        return inMemory
      }
    },
    write: (value) => {
      inMemory = value
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, value)
      } catch {
        // Storage is full or forbidden: the value in memory has to do.
      }
    },
  }
}

/** A token as it may stand in a header, without the blanks that come with copying; null for what cannot be one. */
export function cleanToken(text: string): string | null {
  const token = text.trim()
  return token.length <= LONGEST && /^[\x21-\x7e]+$/.test(token) ? token : null
}

/** A name as the journal takes it: on one line, without control characters; null when nothing is left of it. */
export function cleanActor(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get into the journal
  const name = text.replace(/[\x00-\x1f\x7f\s]+/g, ' ').trim()
  return name === '' || name.length > LONGEST ? null : name
}
