import { type AppRoute, ContractNoBody, initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ownerPath } from '#contract/shared/owner-path.ts';
import { deprecationOf } from './deprecations.ts';
import { objectSchema } from './fields.ts';
import { RECENT_LOGIN_NOTE, RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { type Refusal, refusal, type Refusals } from './refusal.ts';
import { OWNER_ONLY_REFUSALS, UNKNOWN_FIELD_REFUSALS } from './request-refusals.ts';
import { type FieldRefusals, refusalsOf } from './schema-refusals.ts';
import type { Scope } from './scope.ts';
import { LIMITS } from './shared/limits.ts';

/** The body of every 4xx and 5xx response. */
const ErrorResponse = objectSchema('ErrorResponse', 'An error.', {
  error: z
    .string()
    .min(1)
    .meta({
      description: 'The error message, as one sentence.',
      maxLength: LIMITS.message,
      examples: ['A display name is required.'],
    }),
});

/**
 * What a handler gets (see `ContextOf`). `noTransaction`: no transaction, because a rollback cannot undo
 * its effect. `ownIdempotency`: also the idempotency key, because the handler prevents repeated writes itself.
 * `upload`: no idempotency key. `none`: no account.
 */
export type Access = 'read' | 'write' | 'noTransaction' | 'ownIdempotency' | 'upload' | 'none';

/** Properties shared by a group of endpoints. */
export interface EndpointDefaults {
  /** Access of the endpoints with a method other than GET. Those with GET have `read` or `none`. */
  access: Access;
  /** Refusals that all endpoints of the group can return. */
  requestRefusals: Refusals;
  /** Additional refusals of the endpoints with a method other than GET. */
  writeRefusals: Refusals;
  /** Default scope. If undefined: `read` for GET, `all` for other methods. */
  scope?: Scope;
  actor?: EndpointMetadata['actor'];
  /** Request headers of the endpoints with a method other than GET. */
  writeHeaders: Readonly<Record<string, z.ZodType>>;
}

/** What an endpoint declares beside its route. */
interface EndpointMetadata {
  /** The error message of its 500 responses. */
  readonly failure: string;
  /** Refusals specific to this endpoint, other than those of its fields. */
  readonly refusals?: Refusals;
  /** The access of its handler, if it is not the default of its group. */
  readonly access?: 'noTransaction' | 'ownIdempotency';
  /** Whether a session needs a recent login for each request. The description says so, too. */
  readonly recentLogin?: true;
  /**
   * Who may call it for an account with keepers. `owner`: not every keeper. `self`: nobody who acts
   * for another account. `handler`: its handler decides. Default: every keeper.
   */
  readonly actor?: 'owner' | 'self' | 'handler';
  /** Whether it is a POST that changes nothing. */
  readonly readOnly?: true;
  /** Whether it deletes or ends something for good. */
  readonly destructive?: true;
  /** Whether repeating the same body has no further effect, even without an idempotency key. */
  readonly idempotent?: true;
  /** Default: whether it is destructive or has a `secretField`. */
  readonly refusesUnknownFields?: boolean;
  /** Fields that responses have and requests may send back. `x-ignored-fields` does not name them. */
  readonly readOnlyFields?: readonly string[];
  /** The required scope, if it is not the default of its group. */
  readonly scope?: Scope;
  /** The fields of its responses that can have texts by other people, such as visitors. */
  readonly untrustedFields?: 'all' | readonly string[];
  /**
   * The response field with a secret. It is null if a repeated request gets the stored response.
   */
  readonly secretField?: string;
  /**
   * The response field with the entries of a list. If the response also has `next`, send that as
   * `after` to get the next batch.
   */
  readonly listField?: string;
  /** The media types of its successful responses if they are files instead of JSON. */
  readonly fileTypes?: readonly string[];
  /** By media type: what such a file has, and its schema in OpenAPI if it is no text. */
  readonly fileExamples?: Readonly<Record<string, { value: unknown; schema?: object }>>;
  /** The media types of its request body if that is a file instead of JSON. */
  readonly uploadTypes?: readonly string[];
  /** When it will be removed, and what replaces it. `defineOwnerEndpoints` sets it. */
  readonly deprecation?: string | undefined;
}

/** The fields of an object, or its schema. Only what several endpoints share needs a name. */
type Fields = z.core.$ZodLooseShape;

/**
 * An endpoint as a contract file declares it. `defineEndpoints` adds the error responses, and names
 * what has no name: `CreateAlertRequest` and `CreateAlertResponse` of `createAlert`.
 */
export interface Endpoint extends EndpointMetadata {
  method: AppRoute['method'];
  path: string;
  summary: string;
  description: string;
  query?: z.ZodObject | Fields;
  body?: z.ZodType | typeof ContractNoBody | Fields;
  response: z.ZodType;
}

/** The metadata of a `Route`. */
export interface RouteMetadata extends Omit<EndpointMetadata, 'access' | 'refusals'> {
  access: Access;
  /** Refusals specific to this endpoint. */
  refusals: Refusals;
  /** Refusals of its group; `internalError` is its 500. */
  sharedRefusals: Refusals & { internalError: Refusal<500> };
}

/** An endpoint with the refusals, headers and error responses of its group. */
export type Route = AppRoute & { summary: string; description: string; metadata: RouteMetadata };

/** What a request can have. `fields`: headers, query parameters and the top level of the body. */
export function inputOf(route: Route): {
  fields: Readonly<Record<string, z.ZodType>>;
  body: z.ZodType | undefined;
  /** Whether it is a write without a body. */
  takesNoBody: boolean;
} {
  const declared = 'body' in route ? route.body : undefined;
  const body = declared instanceof z.ZodType ? declared : undefined;
  const headers = route.headers as Record<string, z.ZodType> | undefined;
  return {
    fields: { ...headers, ...shapeOf(route.query), ...shapeOf(body) },
    body,
    takesNoBody: declared === ContractNoBody,
  };
}

function shapeOf(schema: unknown): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** The endpoints of a contract, by area (`account`, `site`, …). */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;

export function listRoutes(...contracts: readonly Contract[]): Route[] {
  return contracts.flatMap(Object.values<Contract[string]>).flatMap(Object.values<Route>);
}

type SchemaOf<T> = T extends z.ZodType | typeof ContractNoBody
  ? T
  : T extends Fields
    ? z.ZodObject<z.core.util.Writeable<T>>
    : never;

type OwnRefusals<E extends Endpoint> = (E extends { refusals: infer Declared extends Refusals }
  ? Declared
  : {}) &
  (E extends { recentLogin: true } ? typeof RECENT_LOGIN_REFUSALS : {}) &
  RefusalsIn<E['query']> &
  RefusalsIn<E['body']>;

type RefusalsIn<T> = SchemaOf<T> extends z.ZodObject<infer Shape> ? FieldRefusals<Shape> : {};

type SharedRefusals<E extends Endpoint, D extends EndpointDefaults> = {
  internalError: Refusal<500>;
} & D['requestRefusals'] &
  (E['method'] extends 'GET' ? {} : D['writeRefusals']);

type AccessOf<E extends Endpoint, D extends EndpointDefaults> = D['access'] extends 'none'
  ? 'none'
  : E['method'] extends 'GET'
    ? 'read'
    : E extends { access: infer Declared extends Access }
      ? Declared
      : D['access'];

type StatusesOf<Declared extends Refusals> = Extract<Declared[keyof Declared]['status'], number>;

type CompleteRoute<E extends Endpoint, D extends EndpointDefaults> = Pick<
  E,
  'method' | 'path' | 'summary' | 'description'
> & { readonly [Part in Extract<keyof E, 'query' | 'body'>]: SchemaOf<E[Part]> } & {
  strictStatusCodes: true;
  responses: { readonly 200: E['response'] } & Record<
    StatusesOf<OwnRefusals<E>> | StatusesOf<SharedRefusals<E, D>>,
    typeof ErrorResponse
  >;
  metadata: Omit<Pick<E, Extract<keyof E, keyof EndpointMetadata>>, 'access' | 'refusals'> & {
    access: AccessOf<E, D>;
    refusals: OwnRefusals<E>;
    sharedRefusals: SharedRefusals<E, D>;
  } & Pick<D, Extract<'scope', keyof D>>;
} & (E['method'] extends 'GET' ? {} : { headers: D['writeHeaders'] });

/** Rejects path parameters at compile time: the SDK does not support them. */
type WithoutPathParameters<Area extends Record<string, Endpoint>> = {
  [Name in keyof Area]: Area[Name]['path'] extends `${string}:${string}`
    ? { path: 'an id belongs in the body or the query, not in the path' }
    : unknown;
};

/** Completes the endpoints of an area with the refusals, headers and error responses of their group. */
export function defineEndpoints<
  const D extends EndpointDefaults,
  const Area extends Record<string, Endpoint>,
>(
  defaults: D,
  endpoints: Area & WithoutPathParameters<Area>,
): { [Name in keyof Area]: CompleteRoute<Area[Name], D> } {
  const completeRoutes = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    completeRoute(defaults, name, endpoint),
  ]);
  const router = initContract().router(Object.fromEntries(completeRoutes), {
    strictStatusCodes: true,
  });
  return router as { [Name in keyof Area]: CompleteRoute<Area[Name], D> };
}

type WithoutPath<E> = E extends unknown ? Omit<E, 'path'> : never;

type OwnerRoutes<Area extends Record<string, object>, D extends EndpointDefaults> = {
  [Name in keyof Area]: CompleteRoute<Extract<Area[Name] & { path: string }, Endpoint>, D>;
};

/** Like `defineEndpoints`, for an area of the owner API, whose paths follow from the names. */
export function defineOwnerEndpoints<
  const D extends EndpointDefaults,
  const Area extends Record<string, WithoutPath<Endpoint>>,
>(area: string, defaults: D, endpoints: Area): OwnerRoutes<Area, D> {
  const withPaths = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    {
      ...endpoint,
      path: ownerPath(`${area}.${name}`),
      deprecation: deprecationOf(`${area}.${name}`),
    },
  ]);
  return defineEndpoints(
    defaults,
    Object.fromEntries(withPaths) as Record<string, never>,
  ) as object as OwnerRoutes<Area, D>;
}

function completeRoute(
  { access, requestRefusals, writeRefusals, writeHeaders, scope, actor }: EndpointDefaults,
  name: string,
  endpoint: Endpoint,
): Route {
  const {
    method,
    path,
    summary,
    description,
    query,
    body,
    response,
    refusals: declaredRefusals,
    ...metadata
  } = endpoint;
  const request = {
    ...(query && { query: toSchema(query) }),
    ...(body && { body: toSchema(body, `${capitalize(name)}Request`) }),
  };
  // A misspelled field would delete more than was meant, or hand out a secret that can do more.
  const refusesUnknownFields =
    metadata.refusesUnknownFields ?? (metadata.destructive || metadata.secretField !== undefined);
  const rule = metadata.actor ?? actor;
  const refusals = {
    ...refusalsOf({ shape: { ...shapeOf(request.query), ...shapeOf(request.body) } }),
    ...declaredRefusals,
    ...(metadata.recentLogin && RECENT_LOGIN_REFUSALS),
    ...((rule === 'owner' || rule === 'self') && OWNER_ONLY_REFUSALS),
    ...(refusesUnknownFields && UNKNOWN_FIELD_REFUSALS),
  };
  const isWrite = method !== 'GET';
  const internalError = refusal(
    500,
    'The server or a service that it depends on failed.',
    metadata.failure,
  );
  const sharedRefusals = { ...requestRefusals, ...(isWrite && writeRefusals), internalError };
  const errors = Object.values({ ...refusals, ...sharedRefusals }).map(({ status }) => [
    status,
    ErrorResponse,
  ]);
  const route = {
    method,
    path,
    summary,
    description: description + (metadata.recentLogin ? RECENT_LOGIN_NOTE : ''),
    ...request,
    ...(isWrite && { headers: writeHeaders }),
    responses: {
      200: toSchema(response, `${capitalize(name)}Response`),
      ...Object.fromEntries(errors),
    },
    metadata: {
      ...(scope && { scope }),
      ...(actor && { actor }),
      ...metadata,
      access: isWrite || access === 'none' ? (metadata.access ?? access) : 'read',
      refusals,
      sharedRefusals,
    },
  };
  return route as Route;
}

/** Names it only if it is an object without a name. Queries have none. */
function toSchema(declared: NonNullable<Endpoint['body']>, id?: string) {
  if (declared === ContractNoBody) return declared;
  const schema = declared instanceof z.ZodType ? declared : z.object(declared as Fields);
  const isUnnamed = id !== undefined && schema instanceof z.ZodObject && !schema.meta()?.id;
  return isUnnamed ? schema.meta({ ...schema.meta(), id }) : schema;
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
