import { t } from '../translate.ts';

/**
 * Tokens in the User-Agent header. Edge and Opera also contain `Chrome/` and `Safari/`, so they
 * come first.
 */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and operating system of a User-Agent header, such as `Firefox on Linux`. */
export function describeUserAgent(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([token]) => userAgent?.includes(token))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser === undefined) return userAgent?.slice(0, 40) || t('Unknown browser');
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
