import type { events } from '#contract/owner/events.ts';
import { EVENT_TYPES, EVENT_TYPES_BY_KIND, type EventType } from '#contract/shared/event-types.ts';
import { hasEvent, listEvents } from '#db/queries/events.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';
import { describeEvent, findKeyLabels } from './describe-event.ts';
import { readableTypes } from './readable-types.ts';

export const eventRoutes: Handlers<typeof events> = {
  listEvents: async ({
    accountId,
    scope,
    readDb,
    query: { limit, type, failed, after },
    refuse,
    getTranslator,
  }) => {
    if (after !== undefined && !(await hasEvent(readDb, accountId, after)))
      throw refuse('cursorInvalid');
    // Servers of a newer version may have stored other types.
    const known = type ? EVENT_TYPES_BY_KIND[type] : EVENT_TYPES;
    const types = await readableTypes<EventType>(readDb, { accountId, scope }, known);
    const [rows, labels] = await Promise.all([
      listEvents(readDb, accountId, { limit: limit + 1, after, types, failed }),
      findKeyLabels(readDb, accountId),
    ]);
    const t = getTranslator();
    const { entries, next } = paginate(rows, limit, (event) => ({
      ...serializeTimes(event),
      ...describeEvent(t, event, labels),
    }));
    return { events: entries, next };
  },
};
