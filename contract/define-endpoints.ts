import { type AppRoute, initContract } from '@ts-rest/core';
import { z } from 'zod';
import { type Refusal, refusal, type Refusals } from './refusal.ts';
import type { Scope } from './scope.ts';
import { LIMITS } from './limits.ts';

/** The body of every response with a status of 400 or more: one sentence for people, nothing else. */
const ErrorResponse = z
  .object({
    error: z
      .string()
      .min(1)
      .meta({
        description: 'The error, as one sentence.',
        maxLength: LIMITS.sentence,
        examples: ['A display name is required.'],
      }),
  })
  .meta({ id: 'ErrorResponse', description: 'Why a request was refused or failed.' });

/** Parts that all endpoints of a kind share. */
export interface EndpointDefaults {
  /** Refusals of every endpoint. */
  requests: Refusals;
  /** Further refusals of every write. */
  writes: Refusals;
  /** Whether nobody is asked for a key or a session. */
  open?: true;
  /** Scope that the endpoints need by default. */
  scope?: Scope;
  /** The headers of every write. */
  writeHeaders: Readonly<Record<string, z.ZodType>>;
}

/** An endpoint as its area lists it: answers that are refusals follow from its metadata. */
export type Endpoint = AppRoute & {
  summary: string;
  description: string;
  responses: { readonly 200: z.ZodType };
  metadata: {
    /** The `error` of its 500, unless a more exact one is thrown. */
    readonly failure: string;
    /** Refusals of this endpoint alone. */
    readonly refusals?: Refusals;
    /** Whether its effect lies outside the database, so that no transaction can undo it. */
    readonly external?: true;
    /** Whether its handler stores the answer with the key itself, as part of a group commit. */
    readonly storesAnswer?: true;
    /** Whether it changes nothing, though it is no GET. */
    readonly readOnly?: true;
    /** Whether it deletes or ends something that cannot be restored by another call. */
    readonly destructive?: true;
    /** Whether a repeat with the same body changes nothing more, also without an idempotency key. */
    readonly idempotent?: true;
    /** The field of the body whose numbers are passed on untouched, or refused. */
    readonly exact?: string;
    /** The scope that a key needs, unless it is `read` for a GET and `all` for a write. */
    readonly scope?: Scope;
    /** The field of its answer that is shown once: it is null in the answer to a repeat. */
    readonly once?: string;
    /** The field of its answer that holds the entries of a list; with a `next`, `after` takes it for more. */
    readonly list?: string;
    /** The media type of its 200, if that is a file and no JSON. */
    readonly file?: readonly string[];
    /** The media types of its body, if that is a file and no JSON. */
    readonly upload?: readonly string[];
  };
};

/** Metadata of every endpoint beside its schemas. */
export interface RouteMetadata {
  failure: string;
  open?: true;
  /** Its own refusals. */
  refusals: Refusals;
  /** Refusals shared with the other endpoints of its kind; `internalError` is its 500. */
  shared: Refusals & { internalError: Refusal<500> };
  external?: true;
  storesAnswer?: true;
  readOnly?: true;
  destructive?: true;
  idempotent?: true;
  exact?: string;
  scope?: Scope;
  once?: string;
  list?: string;
  file?: readonly string[];
  upload?: readonly string[];
}

/** An endpoint of a contract. */
export type Route = AppRoute & { summary: string; description: string; metadata: RouteMetadata };

/** The endpoints of a contract, by area. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;

type OwnRefusals<E extends Endpoint> = E['metadata'] extends {
  refusals: infer Declared extends Refusals;
}
  ? Declared
  : {};

type SharedRefusals<E extends Endpoint, S extends EndpointDefaults> = {
  internalError: Refusal<500>;
} & S['requests'] &
  (E['method'] extends 'GET' ? {} : S['writes']);

type StatusesOf<Declared extends Refusals> = Extract<Declared[keyof Declared]['status'], number>;

type CompleteRoute<E extends Endpoint, S extends EndpointDefaults> = Omit<
  E,
  'metadata' | 'responses'
> & {
  strictStatusCodes: true;
  responses: E['responses'] &
    Record<StatusesOf<OwnRefusals<E>> | StatusesOf<SharedRefusals<E, S>>, typeof ErrorResponse>;
  metadata: Omit<E['metadata'], 'refusals'> & {
    refusals: OwnRefusals<E>;
    shared: SharedRefusals<E, S>;
  };
} & (E['method'] extends 'GET' ? {} : { headers: S['writeHeaders'] });

/** Rejects path parameters at compile time, because clients do not fill them in. */
type WithoutPathParameters<Area extends Record<string, Endpoint>> = {
  [Name in keyof Area]: Area[Name]['path'] extends `${string}:${string}`
    ? { path: 'an id belongs in the body or the query, not in the path' }
    : unknown;
};

/**
 * The endpoints of an area, complete: each with what it shares with the others of its kind, and with
 * the statuses of everything that it refuses.
 */
export function defineEndpoints<
  const S extends EndpointDefaults,
  const Area extends Record<string, Endpoint>,
>(
  surface: S,
  endpoints: Area & WithoutPathParameters<Area>,
): { [Name in keyof Area]: CompleteRoute<Area[Name], S> } {
  const completed = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    completeRoute(surface, endpoint),
  ]);
  const router = initContract().router(Object.fromEntries(completed), { strictStatusCodes: true });
  return router as { [Name in keyof Area]: CompleteRoute<Area[Name], S> };
}

function completeRoute(
  { requests, writes, writeHeaders, open, scope }: EndpointDefaults,
  endpoint: Endpoint,
): Route {
  const { refusals = {}, ...metadata } = endpoint.metadata;
  const isWrite = endpoint.method !== 'GET';
  const internalError = refusal(500, 'The server or a service behind it failed.', metadata.failure);
  const shared = { ...requests, ...(isWrite && writes), internalError };
  const errors = Object.values({ ...refusals, ...shared }).map(({ status }) => [
    status,
    ErrorResponse,
  ]);
  return {
    ...endpoint,
    ...(isWrite && { headers: writeHeaders }),
    responses: { ...endpoint.responses, ...Object.fromEntries(errors) },
    metadata: { ...(scope && { scope }), ...metadata, refusals, shared, ...(open && { open }) },
  };
}
