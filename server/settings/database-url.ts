const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;
/** Modes that the driver treats as `verify-full` today but will not for ever. */
const VERIFIED_TODAY = new Set(['prefer', 'require', 'verify-ca']);

/** Whether a URL names several hosts, as those of other drivers may. */
export function namesSeveralHosts(text: string): boolean {
  const [authority = ''] = text.replace(/^[a-z]+:\/\//, '').split(/[/?#]/);
  const [, query] = text.split('?');
  const hosts = [authority.split('@').at(-1), new URLSearchParams(query).get('host')];
  return hosts.some((host) => host?.includes(','));
}

/**
 * The URL of a PostgreSQL server as the driver shall read it: a connection that leaves this machine is
 * encrypted, and its server's certificate checked, unless the URL says otherwise.
 */
export function secureDatabaseUrl(text: string): { url: string; isPlain: boolean } {
  const url = new URL(text);
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const isLocal = host === '' || host.startsWith('/') || LOOPBACK.test(host);
  const { ssl, sslmode: mode, uselibpqcompat } = Object.fromEntries(url.searchParams);
  const isPlain = !isLocal && (mode === 'disable' || ssl === '0' || ssl === 'false');
  const isChosen =
    ssl !== undefined ||
    uselibpqcompat !== undefined ||
    (mode === undefined ? isLocal : !VERIFIED_TODAY.has(mode));
  if (isChosen) return { url: text, isPlain };
  url.searchParams.set('sslmode', 'verify-full');
  return { url: url.href, isPlain };
}
