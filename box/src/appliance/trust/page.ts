/**
 * The page on which an invite is opened: whether this device trusts the box, and the steps until it does. It is on plain HTTP,
 * because the browser of a device that does not trust the box shows a warning in place of everything on HTTPS. So anybody in the
 * network may have changed it: nothing on it is secret, and the fingerprint has to be compared with another source. Pure.
 */
import type { Language, Pseudo } from '@gatehouse/proto/ui/language.ts'
import { type Html, html } from '../../seal/report/html.ts'
import { directionOf, languageLinks, wordsIn } from '../page-language.ts'
import { drawStep } from './pictures.ts'
import { de } from './words/de.ts'
import { DEVICES, en, type Step, type TrustWords } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { it } from './words/it.ts'
import { nl } from './words/nl.ts'
import { pt } from './words/pt.ts'

export const TRUST_WORDS: Record<Language, TrustWords> = { de, en, es, fr, it, nl, pt }

export interface TrustFacts {
  eventName: string
  /** `sha256:<hex>` */
  fingerprint: string
  /** HTTPS origins of the box; the first is the one to use without an invite. */
  origins: readonly string[]
  language: Language | Pseudo
}

export function drawTrustPage({ eventName, fingerprint, origins, language }: TrustFacts): string {
  const words = wordsIn(TRUST_WORDS, language)
  const { states, compare } = words
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.title(eventName)}</title>
<link rel="stylesheet" href="/trust/page.css">
<script src="/trust/page.js" defer></script>
</head>
<body>
<main data-origins="${origins.join(' ')}">
${languageLinks('/trust/', language)}
<header>
<p class="event">${eventName}</p>
<h1>${words.heading}</h1>
</header>
<section class="check" data-state="looking">
<div role="status">${Object.entries(states).map(([state, text]) => html`<p data-when="${state}">${text}</p>`)}</div>
<p class="acts"><a class="main on" href="${origins[0] ?? ''}/scanner/">${words.on}</a> <button type="button" class="again">${words.again}</button></p>
</section>
<noscript><p>${words.noScript}</p></noscript>
<div class="steps">
<p>${words.lead}</p>
<fieldset><legend>${words.which}</legend>${DEVICES.map(
    (device) => html`<label><input type="radio" name="device" value="${device}"> ${words.devices[device].name}</label>`,
  )}</fieldset>
${DEVICES.map(
  (device) => html`<section data-device="${device}">
<h2>${words.devices[device].name}</h2>
<ol>${words.devices[device].steps.map((step, i) => stepOf(step, i === 0 && device !== 'firefox' && words))}<li class="step"><div><p>${words.back}</p></div></li></ol>
</section>`,
)}
<section>
<h2>${compare.title}</h2>
<p>${compare.text}</p>
<p class="code">${grouped(fingerprint)}</p>
</section>
</div>
</main>
</body>
</html>
`.markup
}

/** As phones show a fingerprint: pairs of digits. */
function grouped(fingerprint: string): string {
  return (fingerprint.replace(/^sha256:/, '').match(/../g) ?? []).join(' ').toUpperCase()
}

/** @param words where the certificate is downloaded in this step */
function stepOf(step: Step, words: TrustWords | false): Html {
  const link = words && html`<p><a class="main" data-download href="/trust/gatehouse-ca.crt">${words.download}</a></p>`
  return html`<li class="step"><div><p>${step.text}</p>${link || undefined}</div>${drawStep(step)}</li>`
}
