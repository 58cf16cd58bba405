/** The flows in Firefox. */
import { flowsIn } from './flows.ts'
import { openFirefox, whyNoFirefox } from './puppeteer.ts'

flowsIn('Firefox', whyNoFirefox(), openFirefox)
