/** A queue in which senders take turns: whoever sends much waits behind their own. */

export class FairQueue<T> {
  /** In the order of the senders' turns; none is empty. */
  readonly #bySender = new Map<string, T[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(sender: string, item: T): void {
    const items = this.#bySender.get(sender)
    if (items) items.push(item)
    else this.#bySender.set(sender, [item])
    this.#length++
  }

  /** The next item of the sender whose turn it is. */
  shift(): T | undefined {
    for (const [sender, items] of this.#bySender) {
      const item = items.shift()
      this.#length--
      this.#bySender.delete(sender)
      if (items.length > 0) this.#bySender.set(sender, items)
      return item
    }
    return undefined
  }

  /** Removes the last item of the sender that has most of them; of several, of the one whose turn comes last. */
  takeFromLongest(): T | undefined {
    let longest: [string, T[]] | undefined
    for (const each of this.#bySender) if (!longest || each[1].length >= longest[1].length) longest = each
    if (!longest) return undefined
    const [sender, items] = longest
    const item = items.pop()
    this.#length--
    if (items.length === 0) this.#bySender.delete(sender)
    return item
  }
}
