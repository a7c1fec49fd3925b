import type { Contract } from '../../contract/area.ts';
import { contract } from '../../contract/index.ts';
import { ownerContract } from '../../contract/owner/index.ts';

/** Method and path of every endpoint, by area: all that a browser needs of a contract when it runs. */
type Routes = Record<string, Record<string, [method: string, path: string]>>;

/** The endpoints of the API and those of owners. */
export function routeTable(): { api: Routes; owner: Routes } {
  return { api: routesOf(contract), owner: routesOf(ownerContract) };
}

function routesOf(all: Contract): Routes {
  return Object.fromEntries(
    Object.entries(all).map(([area, endpoints]) => [
      area,
      Object.fromEntries(
        Object.entries(endpoints).map(([name, { method, path }]) => [name, [method, path]]),
      ),
    ]),
  );
}
