/** The licences of a Debian package, from its file `copyright`. Debian's policy demands the file of each package, and it is on the card. */
import { readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Licences in Debian's short names (`GPL-2+`, `Expat`), of which not all are names of SPDX. Pure.
 * @param text in the machine-readable form (DEP-5); in any other form, the licences in `/usr/share/common-licenses` that it refers to
 * @returns sorted, each once; empty if the file contains a licence without naming it
 */
export function licencesIn(text: string): string[] {
  const found = /^Format:/im.test(text)
    ? [...text.matchAll(/^License:[ \t]*(\S.*)$/gim)].map(([, name = '']) => name.trim())
    : [...text.matchAll(/\/usr\/share\/common-licenses\/([A-Za-z0-9.+-]*[A-Za-z0-9+])/g)].map(([, name = '']) => name)
  return [...new Set(found)].sort()
}

/**
 * @param system root folder of the card's system
 * @returns the licences of the package for a list of contents, or the path of its text
 * @throws for a package without such a file, because its terms are not known
 */
export function licencesOf(name: string, system: string): string[] {
  const path = join(system, 'usr/share/doc', name, 'copyright')
  let text: string
  try {
    const there = realpathSync(path)
    // A link of the package may lead to another file of the card's system, and not to a file of this machine.
    if (relative(realpathSync(system), there).startsWith('..')) throw new Error(`it leads to ${there}`)
    text = readFileSync(there, 'utf8')
  } catch (cause) {
    throw new Error(`The Debian package ${name} has no file copyright in ${system}: ${(cause as Error).message}`, {
      cause,
    })
  }
  const licences = licencesIn(text)
  return licences.length > 0 ? licences : [`see /usr/share/doc/${name}/copyright`]
}
