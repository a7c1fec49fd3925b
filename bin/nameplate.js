#!/usr/bin/env node
import '../scripts/needs-node.js';
import '../scripts/compile-cache.js';

await import('../server/process/env-file.ts');
await import('../server/admin/cli.ts');
