/** Browsers by what they call themselves; some name others besides, which come after them. */
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

/** A browser in a few words: what it says of itself is long, and known to nobody by heart. */
export function agentWords(agent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => agent?.includes(part))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return agent?.slice(0, 40) || 'An unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}
