import { parentPort, workerData } from 'node:worker_threads';
import { extractPage } from './extract-page.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort!.postMessage(extractPage(workerData as string));
