/** For tests: says everything in another language from here on. */
import { sayLate } from './late.ts'
import { say } from './words.ts'

export async function speak(folder: string): Promise<void> {
  say(await import(`./${folder}/first.ts`))
  sayLate(await import(`./${folder}/late.ts`))
}
