/** Whether the device shows dark screens, for what is drawn in colours of its own. */
import { useEffect, useState } from 'preact/hooks'

const QUERY = '(prefers-color-scheme: dark)'

/** Draws anew when it changes. */
export function useDark(): boolean {
  const [dark, setDark] = useState(isDark)
  useEffect(() => {
    const query = matchMedia(QUERY)
    const changed = () => setDark(isDark())
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [])
  return dark
}

/** As `tokens.css` decides: a page can have a theme of its own. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia(QUERY).matches : theme === 'dark'
}
