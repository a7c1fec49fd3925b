import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './read-page.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort!.postMessage(readPage(workerData as string));
