/** Puts a file into the browser's downloads. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[^A-Za-z0-9._-]+/g, '_')
  link.click()
  // The download has begun by then, whatever the browser asks first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
