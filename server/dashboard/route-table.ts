import type { Contract } from '../../contract/area.ts';
import { contract } from '../../contract/index.ts';
import { keyedContract, openContract } from '../../contract/owner/index.ts';

/** Method and path of every endpoint, by area: all that a browser needs of a contract when it runs. */
type Routes = Record<string, Record<string, [method: string, path: string]>>;

/** The endpoints of the API and those of owners. */
export function routeTable(): { api: Routes; owner: Routes } {
  return { api: routesOf(contract), owner: routesOf(openContract, keyedContract) };
}

function routesOf(...contracts: Contract[]): Routes {
  const routes: Routes = {};
  for (const [area, endpoints] of contracts.flatMap((all) => Object.entries(all)))
    for (const [name, { method, path }] of Object.entries(endpoints))
      (routes[area] ??= {})[name] = [method, path];
  return routes;
}
