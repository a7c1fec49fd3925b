import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { type APIPromise, Nameplate, themes } from '#client/index.ts';
import type * as generated from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import type { Block, BlockUpdate } from '#contract/block.ts';
import type * as site from '#contract/site.ts';
import { THEMES } from '#contract/themes.ts';
import { authenticatedEndpoints, coreEndpoints, ownerEndpoints } from '../support/endpoints.ts';
import { respondJson } from '../support/listen.ts';
import { apiKey, startClient, startServer } from './support/server.ts';

type Method = (input?: object) => APIPromise<unknown>;

it.for(authenticatedEndpoints)(
  '$area.$name returns the body of $method $path',
  async (endpoint) => {
    const { area, name, method, path, body, query, fileTypes } = endpoint;
    const { client, received } = await startClient((response) =>
      respondJson(response, 200, { ok: 1 }),
    );
    const areas = ownerEndpoints.includes(endpoint) ? ownerOf(client) : client;
    const methods = areas[area as keyof typeof areas] as unknown as Record<string, Method>;
    const input = body || query ? { some: 'thing & more', left: undefined } : undefined;
    const result = await methods[name]!(input);
    expect(fileTypes ? await (result as Response).json() : result).toEqual({ ok: 1 });
    expect(received).toMatchObject([
      {
        method,
        url: query ? `${path}?some=thing+%26+more` : path,
        body: body ? '{"some":"thing & more"}' : '',
        headers: {
          'x-api-key': apiKey,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
      },
    ]);
    expect('idempotency-key' in received[0]!.headers).toBe(method !== 'GET');
  },
);

it('every operation of the contracts of the public contract exists in the client, which has no other operations', () => {
  const client = new Nameplate({ apiKey });
  const methods = Object.entries(client).flatMap(([area, areaClient]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(areaClient))
      .filter((name) => name !== 'constructor')
      .map((name) => `${area}.${name}`),
  );
  expect(methods.toSorted()).toEqual(
    coreEndpoints.map(({ area, name }) => `${area}.${name}`).toSorted(),
  );
});

it('a call withResponse returns the body, the status, the headers and the request id', async () => {
  const { url } = await startServer((response) =>
    respondJson(response, 200, { enabled: true }, { 'x-request-id': 'req-1', 'x-more': 'yes' }),
  );
  const client = new Nameplate({ apiKey, baseUrl: `${url}/` });
  const result = await client.site.getSiteStatus().withResponse();
  expect(result).toEqual({
    data: { enabled: true },
    status: 200,
    headers: expect.any(Headers) as Headers,
    requestId: 'req-1',
  });
  expect(result.headers.get('x-more')).toBe('yes');
});

it('a call sends its headers instead of default headers, and null removes a header', async () => {
  const { client, received } = await startClient((response) => respondJson(response, 200, {}), {
    defaultHeaders: { 'x-one': '1', 'x-two': '2', 'x-three': '3', 'X-API-KEY': 'other' },
  });
  await client.site.getSiteStatus({ headers: { 'x-two': 'two', 'X-Three': null } });
  const { headers } = received[0]!;
  expect(headers).toMatchObject({ 'x-one': '1', 'x-two': 'two', 'x-api-key': apiKey });
  expect(headers['x-three']).toBeUndefined();
});

it('`themes` contains the id of every preset theme by name', () => {
  expect(Object.entries(themes)).toEqual(
    THEMES.map(({ id, name }) => [name.toLowerCase(), id] as const),
  );
  expectTypeOf(themes.midnight).toExtend<generated.UpdateSiteConfigurationRequest['theme_id']>();
});

it('the generated types match the contract', () => {
  type Requests = Omit<z.input<typeof site.UpdateSiteConfigurationRequest>, 'blocks'>;
  type Responses = z.infer<typeof site.SiteConfigurationResponse>;
  expectTypeOf<Requests>().toExtend<generated.UpdateSiteConfigurationRequest>();
  expectTypeOf<Omit<Responses, 'blocks' | 'site'>>().toEqualTypeOf<
    Omit<generated.SiteConfigurationResponse, 'blocks' | 'site'>
  >();
  expectTypeOf<Omit<Responses['site'], 'theme_id'>>().toEqualTypeOf<
    Omit<generated.Site, 'theme_id'>
  >();
  expectTypeOf<generated.Block>().toExtend<Pick<Block, 'id' | 'type' | 'enabled'>>();
  expectTypeOf<generated.BlockUpdate>().toExtend<
    Pick<z.input<typeof BlockUpdate>, 'id' | 'type'>
  >();
});
