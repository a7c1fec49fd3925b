import type { contract } from '#contract/index.ts';
import type { ownerContract } from '#contract/owner/index.ts';

type NamesIn<Contract> = {
  [Area in keyof Contract & string]: `${Area}.${keyof Contract[Area] & string}`;
}[keyof Contract & string];

/** An endpoint of either contract, named as in the SDK: `site.updateSiteConfiguration`. */
export type Endpoint = NamesIn<typeof contract> | NamesIn<typeof ownerContract>;

/** Method and path of every endpoint. The server defines it when it bundles the dashboard. */
declare const ROUTES: Readonly<
  Record<Endpoint, readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string]>
>;

export const routes = ROUTES;
