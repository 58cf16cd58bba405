/** The flows in WebKit. */
import { flowsIn } from './flows.ts'
import { openWebKit, whyNoWebKit } from './webkit.ts'

flowsIn('WebKit', whyNoWebKit(), openWebKit)
