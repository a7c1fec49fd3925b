import { IMPORT_HOSTS } from '../../../contract/import-hosts.ts';

/** Whether pages of a host can be imported: one of a known service. */
export function isImportHost(host: string): boolean {
  return IMPORT_HOSTS.some((known) => host === known || host.endsWith(`.${known}`));
}

/** Reads the address of a page as somebody typed it; undefined unless it is one of an allowed host. */
export function parsePageAddress(
  text: string,
  isAllowed: (host: string) => boolean,
): URL | undefined {
  const typed = text.trim();
  const address = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (!address || !/^https?:$/.test(address.protocol)) return undefined;
  // Services redirect to it anyway.
  address.protocol = 'https:';
  const isPlain = address.username === '' && address.password === '';
  return isPlain && isAllowed(address.host) ? address : undefined;
}
