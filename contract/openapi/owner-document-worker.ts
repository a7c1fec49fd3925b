import { parentPort, workerData } from 'node:worker_threads';
import { buildOwnerDocument } from './document.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(JSON.stringify(buildOwnerDocument(workerData as string[])));
