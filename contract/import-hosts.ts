/** Services whose pages can be imported by their address; subdomains belong to them. */
export const IMPORT_HOSTS = ['linktr.ee', 'bio.link', 'beacons.ai', 'omg.lol'] as const;

/** The services in a sentence. */
export const IMPORT_HOST_NAMES = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  IMPORT_HOSTS,
);
