const NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** The display name that an address means, whatever its case; undefined if there can be no such name. */
export function nameIn(address: string): string | undefined {
  const name = address.toLowerCase();
  return NAME.test(name) ? name : undefined;
}
