/** Files below `/@name`, and at the root of a custom domain. */
export const PAGE_FILE_NAMES = [
  'card.png',
  'share',
  'qr.svg',
  'qr.png',
  'card.vcf',
  'page.json',
  'events.ics',
  'feed.xml',
] as const;
