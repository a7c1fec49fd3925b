/** In the order of the dashboard. */
export const CONNECTION_KINDS = ['discord', 'ntfy', 'email', 'webhook'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];
