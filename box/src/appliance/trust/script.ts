/**
 * The script of the trust page. It runs in the browser and is sent as its own source, so nothing outside the function exists
 * there. It asks the box over HTTPS without reading the answer: a browser that does not trust the certificate fails the request,
 * and says no more than that. The invite stays in the fragment, which no request contains.
 */
export function runTrustPage(): void {
  const page = document.querySelector('main')
  const find = <E extends HTMLElement>(selector: string) => page?.querySelector<E>(selector) ?? null
  const [check, onward] = [find('.check'), find<HTMLAnchorElement>('.on')]
  if (!page || !check || !onward) return
  const origins = (page.dataset.origins ?? '').split(' ')
  const isInvite = location.hash.startsWith('#i=')
  const origin = originOfInvite() ?? (isInvite ? undefined : origins[0])
  const DOWNLOADED = 'gatehouse-ca-downloaded'
  const PATIENCE_MS = 8000
  let looking = false

  page.classList.add('live')
  chooseDevice(thisDevice())
  for (const choice of page.querySelectorAll<HTMLInputElement>('input[name="device"]'))
    choice.addEventListener('change', () => chooseDevice(choice.value))
  for (const link of page.querySelectorAll('a[data-download]'))
    link.addEventListener('click', () => store()?.setItem(DOWNLOADED, '1'))
  // Another language is another page: the invite goes along.
  for (const link of page.querySelectorAll<HTMLAnchorElement>('.languages a')) link.hash = location.hash

  // Only to the box's own addresses, whatever somebody has put into the link.
  if (origin === undefined || !origins.includes(origin)) {
    show('elsewhere')
    return
  }
  // A tablet of the control room has its link, which opens more than a gate, by HTTPS alone.
  const isRoom = location.hash === '#room'
  onward.href = isRoom ? `${origin}/dashboard/` : `${origin}/scanner/${isInvite ? location.hash : ''}`
  find('.again')?.addEventListener('click', () => void look())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look()
  })
  void look().then((trusts) => {
    // A phone that trusted the box before has nothing to do here.
    if (trusts && isInvite) location.replace(onward.href)
  })

  /** True where this browser takes the box's certificate. */
  async function look(): Promise<boolean> {
    if (looking) return false
    looking = true
    show('looking')
    const trusts = await reached(`${origin}/healthz`)
    if (trusts) show('yes')
    else if (!(await reached('/healthz'))) show('away')
    else show(store()?.getItem(DOWNLOADED) ? 'half' : 'no')
    looking = false
    return trusts
  }

  function reached(url: string): Promise<boolean> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    return fetch(url, { mode: 'no-cors', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    )
  }

  /** A browser may forbid storage: reading the property throws there. */
  function store(): Storage | undefined {
    try {
      return sessionStorage
    } catch {
      return undefined
    }
  }

  function show(state: string): void {
    if (check) check.dataset.state = state
  }

  /** Undefined where there is no whole invite. */
  function originOfInvite(): string | undefined {
    try {
      const [, payload = ''] = /^#i=([A-Za-z0-9_-]+)/.exec(location.hash) ?? []
      const { u } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
      return new URL(u).origin
    } catch {
      return undefined
    }
  }

  function thisDevice(): string {
    const { userAgent, maxTouchPoints } = navigator
    // An iPad says that it is a Mac; no Mac has a touch screen.
    if (/iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'iphone'
    if (!/Android/.test(userAgent)) return 'other'
    return /Firefox/.test(userAgent) ? 'firefox' : 'android'
  }

  function chooseDevice(device: string): void {
    for (const section of page?.querySelectorAll<HTMLElement>('[data-device]') ?? [])
      section.hidden = section.dataset.device !== device
    const choice = find<HTMLInputElement>(`input[value="${device}"]`)
    if (choice) choice.checked = true
  }
}
