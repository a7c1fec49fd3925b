import type { contract } from '#contract/index.ts';
import type { ownerContract } from '#contract/owner/index.ts';
import { ownerPath } from '#contract/shared/owner-path.ts';

type NamesIn<Contract> = {
  [Area in keyof Contract & string]: `${Area}.${keyof Contract[Area] & string}`;
}[keyof Contract & string];

/** An endpoint of either contract, named as in the SDK: `site.updateSiteConfiguration`. */
export type Endpoint = NamesIn<typeof contract> | NamesIn<typeof ownerContract>;

/** The path is missing if it follows from the name. The server defines it when it bundles the dashboard. */
declare const ROUTES: readonly [name: Endpoint, method: Method, path?: string][];

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export const routes = {} as Record<Endpoint, readonly [method: Method, path: string]>;
for (const [name, method, path = ownerPath(name)] of ROUTES) routes[name] = [method, path];
