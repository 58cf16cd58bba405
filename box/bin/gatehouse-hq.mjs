#!/usr/bin/env -S node --max-semi-space-size=16
// The young generation is bounded, which V8 otherwise sizes by the machine: 100 MB less under load.
import { runUnderOwnNode } from './own-node.mjs'

await runUnderOwnNode('gatehouse-hq', 'hq-main.ts')
