import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';

/** Runs the programs in a worker with the installed client. */
export async function runInWorker(
  tools: string,
  project: string,
  settings: Record<string, string>,
): Promise<void> {
  const programs = join(tools, 'programs');
  const client = join(project, 'node_modules/@nameplate/client/dist/index.js');
  const worker = new Miniflare({
    compatibilityDate: '2026-01-01',
    bindings: { settings },
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: read(join(programs, 'worker.mjs')) },
      { type: 'ESModule', path: 'exercise.mjs', contents: read(join(programs, 'exercise.mjs')) },
      { type: 'ESModule', path: 'client.js', contents: read(client) },
    ],
  });
  try {
    const answer = await worker.dispatchFetch('http://worker/');
    const text = await answer.text();
    if (text !== 'done') throw new Error(text);
  } finally {
    await worker.dispose();
  }
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
