import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '#server/platform/caller.ts';

/** The caller of requests that this process sends to itself. No network request can set it. */
export const delegatedCaller = new AsyncLocalStorage<Caller>();
