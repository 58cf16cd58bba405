/** The form of a public name and of its certificate's settings: for the box, and for whoever writes its settings. Pure. */

/** A name that a public authority certifies: in a domain, in lower case, and not one of a local network. */
export function isPublicName(name: string): boolean {
  return isRecordName(name) && !name.includes('_') && !/\.(local|localhost|internal|invalid|home\.arpa)$/.test(name)
}

/** The name of a record in DNS, in lower case, with room for `_acme-challenge.` before it. */
export function isRecordName(name: string): boolean {
  const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
  const labels = name.split('.')
  const [top = ''] = labels.slice(-1)
  return name.length <= 237 && labels.length > 1 && labels.every((part) => label.test(part)) && /[a-z]/.test(top)
}

/** The URL of a service that gets a secret: nothing of it in the URL, which ends up in logs. */
export function isHttps(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && parsed.username === '' && parsed.hash === ''
}

/** An e-mail address as a `mailto:` URL has it. */
export function isContact(text: string): boolean {
  return /^[^\s@,?&"']{1,64}@[^\s@,?&"']{1,190}$/.test(text)
}
