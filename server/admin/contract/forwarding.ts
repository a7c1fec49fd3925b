import { Readable } from 'node:stream';
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { errors } from './errors.ts';

const c = initContract();

export const ForwardingCheck = z.object({
  provider: z.string(),
  ok: z.boolean(),
  findings: z.array(
    z.object({ level: z.enum(['error', 'warning']), problem: z.string(), fix: z.string() }),
  ),
});

export const ForwardingName = z.object({
  name: z.string(),
  account_id: z.uuid().nullable(),
  /** Where mail to the name should go; null for nowhere. */
  wanted: z.string().nullable(),
  /** Where the provider is known to send it. */
  known: z.string().nullable(),
  settled: z.boolean(),
  attempts: z.int(),
  last_error: z.string().nullable(),
  next_try_at: z.iso.datetime().nullable(),
  released_at: z.iso.datetime().nullable(),
  alias_gone_at: z.iso.datetime().nullable(),
});

export const ForwardingReport = z.object({
  provider: z.string(),
  names: z.int(),
  repaired: z.array(z.string()),
  waiting: z.array(z.string()),
  strangers: z.array(z.object({ name: z.string(), destination: z.string() })),
  pruned: z.array(z.string()),
});
export type ForwardingReport = z.infer<typeof ForwardingReport>;

/** A line of the answer while a comparison runs; the last one is its report, or why there is none. */
export const SyncLine = z.union([
  z.object({ progress: z.object({ done: z.int(), total: z.int(), name: z.string() }) }),
  z.object({ report: ForwardingReport }),
  z.object({ error: z.string() }),
]);
export type SyncLine = z.infer<typeof SyncLine>;

/** Email forwarding and its provider. */
export const forwarding = c.router(
  {
    checkForwarding: {
      method: 'POST',
      path: '/forwarding/check',
      summary: "Prove the provider's credentials and look for what defeats the rules",
      body: z.object({}),
      responses: { 200: ForwardingCheck, ...errors },
      metadata: { failure: 'Email forwarding could not be checked.' },
    },
    listForwarding: {
      method: 'GET',
      path: '/forwarding/list',
      summary: 'List every name that has or had mail, with what is wanted and known',
      responses: { 200: z.array(ForwardingName), ...errors },
      metadata: { failure: 'The names could not be listed.' },
    },
    syncForwarding: {
      method: 'POST',
      path: '/forwarding/sync',
      summary: 'Compare the whole provider with the database and repair it',
      body: z.object({ prune: z.boolean().default(false) }),
      responses: {
        200: c.otherResponse({
          contentType: 'application/octet-stream',
          body: z.instanceof(Readable),
        }),
        ...errors,
      },
      metadata: { failure: 'Email forwarding could not be compared.' },
    },
  },
  { strictStatusCodes: true },
);
