import type { Answer, owner } from '#dashboard/api/api.ts';

/** An alert as the owner contract lists it. */
export type Alert = Answer<typeof owner.alerts.listAlerts>['alerts'][number];
