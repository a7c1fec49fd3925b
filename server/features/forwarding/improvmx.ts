import { z } from 'zod';
import { ForwardingProviderClient, basicAuthorization } from './forwarding-provider-client.ts';
import {
  type Alias,
  type ForwardingProvider,
  ForwardingProviderError,
  assertStored,
  isPatternAlias,
  isSameDestination,
  findPatternProblems,
} from './forwarding-provider.ts';

const PAGE_SIZE = 100;

const Page = z.object({
  aliases: z.array(z.object({ alias: z.string(), forward: z.string() })),
  total: z.number(),
});
const StoredAlias = z.object({ alias: z.object({ forward: z.string() }) });

export function createImprovmxProvider(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  mailDomain: string;
}): ForwardingProvider {
  const { apiKey, baseUrl, mailDomain } = options;
  const client = new ForwardingProviderClient({
    baseUrl: baseUrl ?? 'https://api.improvmx.com/v3',
    authorization: basicAuthorization('api', apiKey),
    secret: apiKey,
  });
  const aliasesPath = `/domains/${mailDomain}/aliases`;

  return {
    put: async ({ name, destination }, signal) => {
      const newAlias = { alias: name, forward: destination };
      const createResult = await client.callAllowingStatuses(
        { method: 'POST', path: aliasesPath, body: newAlias, signal },
        StoredAlias,
        [400],
      );
      // ImprovMX returns 400 if the alias exists, but also for other reasons.
      const storeResult =
        createResult instanceof ForwardingProviderError
          ? await client.callAllowingStatuses(
              {
                method: 'PUT',
                path: `${aliasesPath}/${name}`,
                body: { forward: destination },
                signal,
              },
              StoredAlias,
              [404],
            )
          : createResult;
      if (storeResult instanceof ForwardingProviderError) throw createResult;
      assertStored(isSameDestination(storeResult.body.alias.forward, destination), name);
    },

    remove: async (name, signal) => {
      const path = `${aliasesPath}/${name}`;
      await client.callAllowingStatuses({ method: 'DELETE', path, signal }, z.unknown(), [404]);
    },

    list: async (signal) =>
      (await listAll(client, aliasesPath, signal)).filter(({ name }) => !isPatternAlias(name)),

    check: async (signal) => findPatternProblems(await listAll(client, aliasesPath, signal)),

    advice: `Check IMPROVMX_API_KEY, and that ${mailDomain} is among the account's domains.`,
  };
}

async function listAll(
  client: ForwardingProviderClient,
  aliasesPath: string,
  signal: AbortSignal,
): Promise<Alias[]> {
  const aliases: Alias[] = [];
  for (let page = 1; ; page += 1) {
    const path = `${aliasesPath}?page=${page}&limit=${PAGE_SIZE}`;
    const { body } = await client.call({ path, signal }, Page);
    aliases.push(
      ...body.aliases.map(({ alias, forward }) => ({ name: alias, destination: forward })),
    );
    if (body.aliases.length === 0 || aliases.length >= body.total) return aliases;
  }
}
