/** Whether this browser has been paired: looked at before the code for it is loaded. */
const MARK = 'gatehouse-paired'

export function isMarked(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return false
  }
}

export function mark(paired: boolean): void {
  try {
    if (paired) localStorage.setItem(MARK, '1')
    else localStorage.removeItem(MARK)
  } catch {
    // A browser without storage has lost the key as well.
  }
}
