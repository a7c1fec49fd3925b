import { z } from 'zod';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Core } from '#server/core.ts';
import { defineJobKind } from '#server/platform/jobs/define-job.ts';

export type LinkRequest = z.infer<typeof LinkRequest>;
const LinkRequest = z.object({
  email: z.string(),
  /** Without it, only existing accounts get a link. */
  signUp: z
    .object({
      language: z.enum(LANGUAGES),
      display_name: z.string(),
      invitation_hash: z.base64().nullable(),
      /** Set for an application. */
      application_text: z.string().nullable().default(null),
      application_name: z.string().nullable().default(null),
    })
    .optional(),
});

export const linkRequests = defineJobKind({
  kind: 'link-request',
  schema: LinkRequest,
  batchSize: 10,
  // Often, because people wait for these links.
  pollSeconds: 0.5,
  expireSeconds: 60,
  giveUpSeconds: LOGIN_LINK_MINUTES * 60,
});

/** A kind of its own, because servers of 0.2.0 drop the text of the application. */
export const applicationRequests = defineJobKind({ ...linkRequests, kind: 'application-request' });

/**
 * Queues a request for a link by mail. A job looks for accounts, so that the response and its time do not
 * reveal whether the address has one.
 */
export async function requestLink(
  { db, jobs }: Pick<Core, 'db' | 'jobs'>,
  request: LinkRequest,
): Promise<void> {
  const priority = request.signUp ? -1 : 0;
  const kind = request.signUp?.application_text == null ? linkRequests : applicationRequests;
  await inTransaction(db, (trx) => jobs.add(trx, kind, request, { priority }));
}
