export const AT_PAGES = { config: { hostKinds: ['pages'] } } as const;
export const AT_DOMAINS = { config: { hostKinds: ['domains'] } } as const;

/** Files are below `/@name`, and at the root of a custom domain. */
export const PAGE_ROOTS = [
  ['/@:name', AT_PAGES],
  ['', AT_DOMAINS],
] as const;
