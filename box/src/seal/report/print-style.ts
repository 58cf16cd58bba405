/** The look of pages that are printed: black on white, A4, without anything from the network, so that a copy on a disk looks the same. */

export const PRINT_STYLE = `
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 11pt/1.35 system-ui, sans-serif; color: #000; background: #fff }
h1 { margin: 0 0 .2rem; font-size: 1.6rem }
h2 { margin: 1.2rem 0 .4rem; font-size: 1.2rem; break-after: avoid }
p { margin: .3rem 0 }
table { width: 100%; border-collapse: collapse }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { padding: .22rem .4rem; border-bottom: 1px solid #999; text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead th { border-bottom: 2px solid #000 }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.code { font: 700 1.05em/1.2 ui-monospace, monospace; white-space: nowrap }
.tick { width: 1.6rem; font-size: 1.2em; line-height: 1 }
.small { font-size: .85em }
.big { font-size: 1.5rem; font-weight: 700 }
.warn { padding: .4rem .6rem; border: 2px solid #000; font-weight: 700 }
@media print { body { padding: 0; max-width: none } }
`
