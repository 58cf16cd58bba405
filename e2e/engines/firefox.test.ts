/** The flows in Firefox. */
import { openFirefox, whyNoFirefox } from './firefox.ts'
import { flowsIn } from './flows.ts'

flowsIn('Firefox', whyNoFirefox(), openFirefox)
