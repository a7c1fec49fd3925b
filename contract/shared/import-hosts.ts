/** Services whose pages can be imported by URL, including their subdomains. Beacons sends 403. */
export const IMPORT_HOSTS = ['linktr.ee', 'bio.link', 'omg.lol'] as const;

export const IMPORT_HOSTS_TEXT = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  IMPORT_HOSTS,
);
