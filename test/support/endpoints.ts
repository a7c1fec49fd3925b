import { z } from 'zod';
import { contract } from '../../contract/index.ts';
import type { RouteMetadata } from '../../contract/area.ts';
import type { TestAccount, TestApp } from './test-app.ts';

/** An endpoint of the contract, as the tests that go over all of them see it. */
export interface Endpoint {
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** The sentence of its 401. */
  unauthorized: string | undefined;
  /** Undefined if the endpoint takes no body. */
  body: z.ZodType | undefined;
  /** The schema of every declared status. */
  responses: Record<number, z.ZodType>;
}

export const endpoints: Endpoint[] = Object.values(contract).flatMap((area) =>
  Object.entries(area as Record<string, Record<string, unknown>>).map(
    ([name, route]) =>
      ({
        ...route,
        name,
        unauthorized: Object.values((route['metadata'] as RouteMetadata).shared).find(
          ({ status }) => status === 401,
        )?.sentence,
        body: route['body'] instanceof z.ZodType ? route['body'] : undefined,
      }) as Endpoint,
  ),
);

export const endpointsWithBody = endpoints.filter((endpoint) => endpoint.body);
export const writes = endpoints.filter((endpoint) => endpoint.method !== 'GET');

const WEBHOOK = {
  webhookUrl: 'https://discord.com/api/webhooks/1/token',
  payload: { content: 'hi' },
};
let names = 0;

/** A body that an endpoint accepts from an account; undefined if it takes none. */
export async function validBody(
  server: TestApp,
  account: TestAccount,
  { name, body }: Endpoint,
): Promise<object | undefined> {
  names += 1;
  const bodies: Record<string, object> = {
    updateDisplayName: { display_name: `valid-${names}` },
    updateSiteConfiguration: { bio: 'Potter.', blocks: [{ type: 'text', content: 'Hello!' }] },
    emailForwardingToggle: { enabled: false },
    ingestMetrics: { projectId: await server.createProject(account), payload: { visitors: 1 } },
    sendChatWebhook: WEBHOOK,
    editChatWebhook: { ...WEBHOOK, messageId: '1' },
  };
  const valid = bodies[name];
  if (body && !valid) throw new Error(`say here which body ${name} accepts`);
  return valid;
}
