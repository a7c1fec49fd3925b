import type { Contract } from '../../contract/area.ts';
import { contract } from '../../contract/index.ts';
import { ownerContract } from '../../contract/owner/index.ts';

/** Method and path of every endpoint of both contracts, by a name such as `site.getSiteStatus`. */
export function routeTable(): Record<string, [method: string, path: string]> {
  return Object.fromEntries(
    [contract, ownerContract].flatMap((areas: Contract) =>
      Object.entries(areas).flatMap(([area, endpoints]) =>
        Object.entries(endpoints).map(([name, { method, path }]) => [
          `${area}.${name}`,
          [method, path],
        ]),
      ),
    ),
  );
}
