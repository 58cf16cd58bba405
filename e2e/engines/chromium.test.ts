/** The flows in Chromium. */
import { flowsIn } from './flows.ts'
import { openChromium, whyNoChromium } from './puppeteer.ts'

flowsIn('Chromium', whyNoChromium(), openChromium)
