import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { circlesOf, importsIn, knotsOf, problemsOf, readLayers } from './layers.ts'

const ARCHITECTURE = `# Architecture

| folder | holds |
|---|---|
| 1 | \`other\` is a table of something else |

## Layers

| | folders |
|---|---|
| 1 | \`log.ts\`, \`ledger/\` |
| 2 | \`scan\`, \`mesh\` |
| 3 | \`boot\` |

## After it

| 1 | \`other\` |
`
const LAYERS = readLayers(ARCHITECTURE)

/** A tree in which every part of LAYERS has a file. */
const tree = (files: Record<string, string>) =>
  new Map(
    Object.entries({
      'box/src/log.ts': '',
      'box/src/ledger/ledger.ts': '',
      'box/src/scan/redeem.ts': '',
      'box/src/mesh/mesh.ts': '',
      'box/src/boot/box.ts': '',
      ...files,
    }),
  )
const problems = (files: Record<string, string>) => problemsOf(tree(files), LAYERS)

describe('the table of layers', () => {
  it('is read from the section "Layers" alone, the lowest layer first', () => {
    assert.deepEqual(LAYERS, [['log.ts', 'ledger'], ['scan', 'mesh'], ['boot']])
  })

  it('has to be there', () => {
    assert.throws(() => readLayers('# Architecture\n'), /no table of layers/)
  })

  it('names every folder of box/src once, and none that is not there', () => {
    assert.deepEqual(problems({ 'box/src/venue/plan.ts': '' }), ['box/src/venue is in no layer of ARCHITECTURE.md.'])
    const twice = [...LAYERS, ['scan', 'gone']]
    assert.deepEqual(problemsOf(tree({}), twice), [
      'box/src/gone has a layer in ARCHITECTURE.md and is not there.',
      'box/src/scan has two layers in ARCHITECTURE.md.',
    ])
  })
})

describe('an import', () => {
  it('leads to a lower layer or stays in its folder', () => {
    const text = "import { openLedger } from '../ledger/ledger.ts'\nimport { scan } from '../scan/redeem.ts'\n"
    assert.deepEqual(
      problems({ 'box/src/boot/box.ts': `${text}import './stages.ts'\n`, 'box/src/boot/stages.ts': '' }),
      [],
    )
  })

  it('is refused when it leads upward, with the file, what it imports, and the rule', () => {
    assert.deepEqual(problems({ 'box/src/ledger/ledger.ts': "import { redeem } from '../scan/redeem.ts'\n" }), [
      'box/src/ledger/ledger.ts imports box/src/scan/redeem.ts: ledger is of layer 1, scan of layer 2, and a folder imports only from lower layers.',
    ])
  })

  it('is refused between folders of one layer', () => {
    assert.deepEqual(problems({ 'box/src/scan/redeem.ts': "import { mesh } from '../mesh/mesh.ts'\n" }), [
      'box/src/scan/redeem.ts imports box/src/mesh/mesh.ts: layer 2 has both, and folders of one layer do not import each other.',
    ])
  })

  for (const [form, text] of Object.entries({
    'of a type': "import type { Redeem } from '../scan/redeem.ts'\n",
    'over several lines': "import {\n  type Redeem,\n  redeem,\n} from '../scan/redeem.ts'\n",
    'that exports again': "export { redeem } from '../scan/redeem.ts'\n",
    'for its effect': "import '../scan/redeem.ts'\n",
    'when it is needed': "const late = async () => (await import('../scan/redeem.ts')).redeem\n",
    'of a type in place': "type Redeem = import('../scan/redeem.ts').Redeem\n",
    "of a worker's script": "new Worker(new URL('../scan/redeem.ts', import.meta.url))\n",
  })) {
    it(`counts ${form}`, () => {
      assert.equal(problems({ 'box/src/ledger/ledger.ts': text }).length, 1)
    })
  }

  it('may be anything in a test', () => {
    assert.deepEqual(problems({ 'box/src/ledger/ledger.test.ts': "import { redeem } from '../scan/redeem.ts'\n" }), [])
  })

  it('of a comment or of a text is none', () => {
    const text = "// import { redeem } from '../scan/redeem.ts'\nconst said = \"import x from '../scan/redeem.ts'\"\n"
    assert.deepEqual(problems({ 'box/src/ledger/ledger.ts': text }), [])
  })
})

describe('a realm', () => {
  for (const [file, text] of [
    ['proto/code.ts', "import { log } from '../box/src/log.ts'\n"],
    ['scanner-pwa/src/main.tsx', "import { log } from '../../box/src/settings-of-nobody.ts'\n"],
    ['wallet-pwa/src/main.tsx', "import { App } from '../../dashboard/src/app.tsx'\n"],
    ['box/src/log.ts', "import { world } from '../test/world/world.ts'\n"],
    ['box/src/boot/box.ts', "import { build } from '../../dev/build.ts'\n"],
    ['box/verify-export.ts', "import { merkle } from './src/log.ts'\n"],
  ] as const) {
    it(`refuses ${file} what is not its own`, () => {
      const [problem = '', ...others] = problems({ [file]: text })
      assert.match(problem, new RegExp(`^${file} imports .* imports only `))
      assert.deepEqual(others, [])
    })
  }

  it('may import proto by the name of the package', () => {
    assert.deepEqual(problems({ 'scanner-pwa/src/main.tsx': "import { format } from '@gatehouse/proto/hlc.ts'\n" }), [])
  })
})

describe('a circle', () => {
  const imports = (edges: [string, string, boolean?][]) =>
    edges.map(([file, imported, typeOnly = false]) => ({ file, imported, typeOnly }))

  it('is told by the shortest way round', () => {
    assert.deepEqual(
      circlesOf(
        imports([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'd'],
          ['d', 'a'],
          ['c', 'a'],
          ['x', 'a'],
        ]),
      ),
      [['a', 'b', 'c', 'a']],
    )
  })

  it('is none when a type closes it', () => {
    assert.deepEqual(
      circlesOf(
        imports([
          ['a', 'b'],
          ['b', 'a', true],
        ]),
      ),
      [],
    )
  })

  it('is found among files of one folder', () => {
    const [problem] = problems({
      'box/src/mesh/mesh.ts': "import { mode } from './mode.ts'\n",
      'box/src/mesh/mode.ts': "import { mesh } from './mesh.ts'\n",
    })
    assert.match(problem ?? '', /^box\/src\/mesh\/mesh.ts → box\/src\/mesh\/mode.ts → box\/src\/mesh\/mesh.ts: /)
  })

  it('is one of several knots', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'c'],
      ['d', 'e'],
    ] as const
    assert.deepEqual(
      knotsOf(edges).map((knot) => knot.sort()),
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    )
  })
})

it('knows which imports are gone at run time', () => {
  const text = "import type { A } from './b.ts'\nimport { type C, d } from './d.ts'\n"
  assert.deepEqual(importsIn(new Map([['proto/a.ts', text]])), [
    { file: 'proto/a.ts', imported: 'proto/b.ts', typeOnly: true },
    { file: 'proto/a.ts', imported: 'proto/d.ts', typeOnly: false },
  ])
})
