import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { loadOnce } from './load-once.ts';

export async function readPublicDocument(): Promise<object> {
  return JSON.parse(
    await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'),
  ) as object;
}

/** Built on first use, in a thread, because it takes half a second of processor time. */
export const loadOwnerDocument = loadOnce(async () => {
  const worker = new Worker(
    new URL('../../contract/openapi/owner-document-worker.ts', import.meta.url),
  );
  const [json] = (await once(worker, 'message')) as [string];
  return JSON.parse(json) as object;
});
