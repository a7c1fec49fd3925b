import { text } from 'node:stream/consumers';
import { initClient } from '@ts-rest/core';
import { adminContract } from './contract/index.ts';
import type { Transport } from './transport.ts';

/** Why the service refused a command, in its own words. */
export class RefusedError extends Error {}

/** Every command as a typed function. */
export type AdminClient = ReturnType<typeof adminClient>;

export function adminClient(transport: Transport) {
  return initClient(adminContract, {
    baseUrl: '',
    baseHeaders: {},
    api: async ({ method, path, headers, body }) => {
      const response = await transport({
        method,
        path,
        headers,
        body: typeof body === 'string' ? body : undefined,
      });
      const type = String(response.headers['content-type']);
      return {
        status: response.status,
        headers: new Headers(),
        body: type.startsWith('application/json')
          ? (JSON.parse(await text(response.body)) as unknown)
          : response.body,
      };
    },
  });
}

/** The body of a command that was carried out; anything else is thrown. */
export function answered<Response extends { status: number; body: unknown }>(
  response: Response,
): Extract<Response, { status: 200 }>['body'] {
  if (response.status === 200) return response.body;
  const { error } = response.body as { error?: string };
  throw new RefusedError(error ?? `The service answered with status ${response.status}.`);
}
