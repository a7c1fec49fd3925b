import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';

/** Runs use-client.mjs in the Cloudflare Workers runtime (Miniflare), with the client installed in `projectDir`. */
export async function runInCloudflareWorker(
  toolsDir: string,
  projectDir: string,
  settings: Record<string, string>,
): Promise<void> {
  const programsDir = join(toolsDir, 'programs');
  const dist = join(projectDir, 'node_modules/@nameplate/client/dist');
  const worker = new Miniflare({
    compatibilityDate: '2026-01-01',
    bindings: { settings },
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: readText(join(programsDir, 'worker.mjs')) },
      {
        type: 'ESModule',
        path: 'use-client.mjs',
        contents: readText(join(programsDir, 'use-client.mjs')),
      },
      { type: 'ESModule', path: 'client.js', contents: readText(join(dist, 'index.js')) },
      { type: 'ESModule', path: 'webhooks.js', contents: readText(join(dist, 'webhooks.js')) },
    ],
  });
  try {
    const response = await worker.dispatchFetch('http://worker/');
    const text = await response.text();
    if (text !== 'done') throw new Error(text);
  } finally {
    await worker.dispose();
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
