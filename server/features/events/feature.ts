import type { ReadDatabase } from '#db/connections/handles.ts';
import { deleteOldEvents, listEvents } from '#db/queries/events.ts';
import type { Core } from '#server/core.ts';
import { ndjsonFile } from '#server/platform/archive-file.ts';
import { defineFeature, type ExportedAccount } from '../define-feature.ts';
import { eventRoutes } from './owner-routes.ts';

const EVENTS_PER_QUERY = 500;

export const events = defineFeature({
  name: 'events',
  routes: { owner: { events: eventRoutes } },
  deletesByAge: ({ db, config }: Pick<Core, 'config' | 'db'>) =>
    deleteOldEvents(db, config.EVENT_DAYS),
  accountTables: { events: 'exported' },
  exportFiles: (db, account) => [
    ndjsonFile('events.ndjson', 'The events of the account, newest first.', () =>
      readEvents(db, account),
    ),
  ],
});

async function* readEvents(
  db: ReadDatabase,
  { accountId, types }: ExportedAccount,
): AsyncGenerator {
  let after: string | undefined;
  for (;;) {
    const page = await listEvents(db, accountId, { limit: EVENTS_PER_QUERY, after, types });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}
