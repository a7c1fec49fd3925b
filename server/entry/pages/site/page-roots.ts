export const ON_PAGES_HOST = { config: { hostKinds: ['pages'] } } as const;
export const ON_CUSTOM_DOMAINS = { config: { hostKinds: ['domains'] } } as const;

/** Files are below `/@name`, and at the root of a custom domain. */
export const PAGE_ROOTS = [
  ['/@:name', ON_PAGES_HOST],
  ['', ON_CUSTOM_DOMAINS],
] as const;
