import type { AuditArea } from '#contract/shared/audit-areas.ts';
import type { EventKind } from '#contract/shared/event-types.ts';
import { owner } from '#dashboard/api/api.ts';
import type { Source } from './load-activity.ts';

const limit = 50;

export const eventSource = (filter: { type?: EventKind; failed?: boolean }): Source => ({
  name: 'events',
  load: async (after) => {
    const { events, next } = await owner.events.listEvents({ limit, ...filter, after });
    return { rows: events.map((event) => ({ source: 'events', ...event })), next };
  },
});

export const requestSource = (filter: { failed?: boolean; key_id?: string }): Source => ({
  name: 'requests',
  load: async (after) => {
    const { requests, next, counts } = await owner.keys.listRequests({ limit, ...filter, after });
    const rows = requests.map((request) => ({ source: 'requests' as const, ...request }));
    return { rows, next, leftOut: counts.left_out };
  },
});

export const auditSource = (filter: {
  action?: AuditArea | undefined;
  account_id?: string;
}): Source => ({
  name: 'audit',
  load: async (after) => {
    const { entries, next } = await owner.server.listAuditEntries({ limit, ...filter, after });
    return { rows: entries.map((entry) => ({ source: 'audit', ...entry })), next };
  },
});
