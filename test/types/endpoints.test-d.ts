import type { Endpoint, FileEndpoint, Input } from '#dashboard/api/routes.ts';

// Each marked line must not compile. If it does, its @ts-expect-error is an error.

export const known: Endpoint[] = ['site.getSiteStatus', 'keys.createKey', 'account.exportData'];

// @ts-expect-error: an endpoint that is in neither contract
export const renamed: Endpoint = 'site.getStatus';

export const sent: Input<'keys.createKey'> = { label: 'shop', scope: 'metrics' };

// @ts-expect-error: a field that the endpoint does not have
export const misspelt: Input<'keys.createKey'> = { lable: 'shop' };

export const asked: Input<'page.getViews'> = { days: 7 };

// @ts-expect-error: an endpoint that answers in JSON
export const file: FileEndpoint = 'keys.createKey';
