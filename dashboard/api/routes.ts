/** Method and path of an endpoint. */
export type Route = readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string];

/** Endpoints of a contract, by area. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** Those of both contracts, put here by the server when it bundles this code. */
declare const ROUTES: { readonly api: Routes; readonly owner: Routes };

export const routes = ROUTES;
