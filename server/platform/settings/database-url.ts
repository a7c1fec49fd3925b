import { readFileSync } from 'node:fs';
import { LOOPBACK } from './loopback.ts';

/** The driver treats these modes as `verify-full`, but a future version will not. */
const VERIFIED_MODES = new Set(['prefer', 'require', 'verify-ca']);

/** Other drivers accept URLs with several hosts, but `pg` does not. */
export function hasMultipleHosts(text: string): boolean {
  const [authority = ''] = text.replace(/^[a-z]+:\/\//, '').split(/[/?#]/);
  const [, query] = text.split('?');
  const hosts = [authority.split('@').at(-1), new URLSearchParams(query).get('host')];
  return hosts.some((host) => host?.includes(','));
}

/** Encrypts and verifies connections to other machines, unless the URL says otherwise. */
export function secureDatabaseUrl(text: string): { url: string; isUnencrypted: boolean } {
  const url = new URL(text);
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const isLocal = host === '' || host.startsWith('/') || LOOPBACK.test(host);
  const { ssl, sslmode: mode, uselibpqcompat } = Object.fromEntries(url.searchParams);
  const isUnencrypted = !isLocal && (mode === 'disable' || ssl === '0' || ssl === 'false');
  const isExplicit =
    ssl !== undefined ||
    uselibpqcompat !== undefined ||
    (mode === undefined ? isLocal : !VERIFIED_MODES.has(mode));
  if (isExplicit) return { url: text, isUnencrypted };
  url.searchParams.set('sslmode', 'verify-full');
  return { url: url.href, isUnencrypted };
}

/** `pg` would read these files when it connects. */
export function findUnreadableFile(text: string): string | undefined {
  const { searchParams } = new URL(text);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
    try {
      const file = searchParams.get(name);
      if (file) readFileSync(file);
    } catch (error) {
      return `names a file in ${name} that cannot be read (${(error as Error).message})`;
    }
  return undefined;
}
