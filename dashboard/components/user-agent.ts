import { t } from '../translate.ts';

/**
 * Tokens in the User-Agent header. Most browsers also send `Chrome/` or `Safari/`, so these two come
 * last. Browsers for iPhone and iPad have tokens of their own.
 */
const BROWSERS = [
  // `Edg/`, `EdgA/` on Android, `EdgiOS/`.
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['OPT/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
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
