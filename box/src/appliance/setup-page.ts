/**
 * The first page of a box: links to the apps, how a device comes to trust the box, and mistakes in its
 * settings. It is on plain HTTP, for anybody on the network: nothing on it is secret, and an attacker may have changed it, so the
 * fingerprint has to be compared with another source. Pure.
 */
import type { Language, Pseudo } from '@gatehouse/proto/ui/language.ts'
import { leavesLineUnused } from '@gatehouse/proto/unused-line.ts'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import { type Html, html, markup } from '../seal/report/html.ts'
import { directionOf, languageLinks, wordsIn } from './page-language.ts'
import { settingSentence } from './setting-sentence.ts'
import { de } from './setup-words/de.ts'
import { en, type SetupWords } from './setup-words/en.ts'
import { es } from './setup-words/es.ts'
import { fr } from './setup-words/fr.ts'
import { it } from './setup-words/it.ts'
import { nl } from './setup-words/nl.ts'
import { pt } from './setup-words/pt.ts'

export const SETUP_WORDS: Record<Language, SetupWords> = { de, en, es, fr, it, nl, pt }

export interface SetupFacts {
  eventName: string
  boxId: string
  /** `sha256:<hex>` */
  fingerprint: string
  timeQuality: 'synced' | 'unsynced'
  /** HTTPS origins; the first is the one to use. */
  origins: readonly string[]
  /** Address of the wallet: on this port too, if the operator allows it. */
  wallet: string
  problems: readonly SettingsProblem[]
  /** QR code of the first address, SVG. */
  qr: string
  language: Language | Pseudo
}

export function drawSetupPage(facts: SetupFacts): string {
  const { eventName, boxId, fingerprint, timeQuality, origins, wallet, problems, qr, language } = facts
  const words = wordsIn(SETUP_WORDS, language)
  const [origin = ''] = origins
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.title(eventName)}</title>
<link rel="stylesheet" href="/setup.css">
</head>
<body>
<main>
${languageLinks('/', language)}
<header>
<h1>${eventName}</h1>
<p>${words.lead}</p>
</header>
${problems.length > 0 ? problemsOf(problems, words, language) : undefined}
<section aria-labelledby="apps">
<h2 id="apps">${words.apps}</h2>
<ul class="apps">
${app(`${origin}/dashboard/`, words.dashboard)}
${app(`${origin}/scanner/`, words.scanner)}
${app(wallet, words.wallet)}
</ul>
<p>${words.warning}</p>
</section>
<section aria-labelledby="trust">
<h2 id="trust">${words.trust}</h2>
<p><a class="main" href="/trust/?lang=${language}">${words.check}</a></p>
<p><a href="/ca.crt">${words.certificate}</a></p>
<p>${words.compare}</p>
<p class="code">${fingerprint}</p>
${words.systems.map(([name, steps]) => html`<h3>${name}</h3><p>${steps}</p>`)}
</section>
<section aria-labelledby="box">
<h2 id="box">${words.box}</h2>
<div class="facts">
<dl>
<dt>${words.boxId}</dt><dd class="code">${boxId}</dd>
<dt>${words.time}</dt><dd>${words.times[timeQuality]}</dd>
<dt>${words.addresses}</dt>${origins.map((one) => html`<dd><a href="${one}/dashboard/">${one}</a></dd>`)}
</dl>
<figure>${markup(qr)}<figcaption>${words.qr(origin)}</figcaption></figure>
</div>
</section>
</main>
</body>
</html>
`.markup
}

/** Mistakes in the settings. Only lines that were not used are counted. */
function problemsOf(problems: readonly SettingsProblem[], words: SetupWords, language: Language | Pseudo): Html {
  const lines = problems.filter(leavesLineUnused).length
  return html`<section class="problems" aria-labelledby="problems">
<h2 id="problems">${lines > 0 ? words.problems(lines) : 'gatehouse.toml'}</h2>
${lines > 0 ? html`<p>${words.problemsLead}</p>` : undefined}
<ul>${problems.map((problem) => problemOf(problem, words, language))}</ul>
</section>`
}

function problemOf(problem: SettingsProblem, words: SetupWords, language: Language | Pseudo): Html {
  const sentence = settingSentence(problem, language)
  const said = sentence === undefined ? html`<span lang="en">${problem.message}</span>` : html`<span>${sentence}</span>`
  const place = problem.where.replace(/^line (\d+)$/, `${words.line} $1`)
  return html`<li><strong>${place}</strong> ${said}</li>`
}

function app(url: string, { name, what }: { name: string; what: string }): Html {
  return html`<li><a href="${url}"><strong>${name}</strong> <span>${what}</span></a></li>`
}
