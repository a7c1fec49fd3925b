import type { z } from 'zod';
import type { contract } from '#contract/index.ts';
import type { ownerContract } from '#contract/owner/index.ts';

type NamesIn<Contract> = {
  [Area in keyof Contract & string]: `${Area}.${keyof Contract[Area] & string}`;
}[keyof Contract & string];

/** An endpoint of either contract, named as in the SDK: `site.updateSiteConfiguration`. */
export type Endpoint = NamesIn<typeof contract> | NamesIn<typeof ownerContract>;

type RouteIn<Contract, Area, Name> = Area extends keyof Contract
  ? Name extends keyof Contract[Area]
    ? Contract[Area][Name]
    : never
  : never;

type RouteOf<Name extends Endpoint> = Name extends `${infer Area}.${infer Method}`
  ? RouteIn<typeof contract, Area, Method> | RouteIn<typeof ownerContract, Area, Method>
  : never;

export type Input<Name extends Endpoint> =
  RouteOf<Name> extends { body: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : RouteOf<Name> extends { query: infer Schema extends z.ZodType }
      ? z.input<Schema>
      : undefined;

export type FileEndpoint = {
  [Name in Endpoint]: RouteOf<Name> extends { metadata: { fileTypes: readonly string[] } }
    ? Name
    : never;
}[Endpoint];

/** Method and path of every endpoint. The server defines it when it bundles the dashboard. */
declare const ROUTES: Readonly<
  Record<Endpoint, readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string]>
>;

export const routes = ROUTES;
