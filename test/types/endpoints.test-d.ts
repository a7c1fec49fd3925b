import type { Endpoint, FileEndpoint, Input } from '#dashboard/api/routes.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

export const valid: Endpoint[] = ['site.getSiteStatus', 'keys.createKey', 'account.exportData'];

// @ts-expect-error: neither contract has this endpoint
export const unknown: Endpoint = 'site.getStatus';

export const body: Input<'keys.createKey'> = { label: 'shop', scope: 'metrics' };

// @ts-expect-error: an unknown field
export const misspelledField: Input<'keys.createKey'> = { lable: 'shop' };

export const query: Input<'page.getViews'> = { days: 7 };

// @ts-expect-error: returns JSON, not a file
export const jsonEndpoint: FileEndpoint = 'keys.createKey';
