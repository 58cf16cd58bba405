#!/usr/bin/env node
import { runUnderOwnNode } from './own-node.mjs'

await runUnderOwnNode('gatehouse', 'cli.ts')
