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

const PAGE_SIZE = 50;
const DELETE_REFUSED_STATUSES = [400, 403, 409, 422];

const StoredAlias = z.object({
  name: z.string(),
  recipients: z.array(z.string()),
  is_enabled: z.boolean(),
});
const AliasPage = z.array(StoredAlias);
const PageCount = z.coerce.number().int().catch(1);

export function createForwardEmailProvider(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  mailDomain: string;
}): ForwardingProvider {
  const { apiKey, baseUrl, mailDomain } = options;
  const client = new ForwardingProviderClient({
    baseUrl: baseUrl ?? 'https://api.forwardemail.net',
    authorization: basicAuthorization(apiKey, ''),
    secret: apiKey,
  });
  const aliasesPath = `/v1/domains/${mailDomain}/aliases`;

  return {
    put: async ({ name, destination }, signal) => {
      const body = aliasBody(name, destination.split(','), true);
      const path = `${aliasesPath}/${name}`;
      const updateResult = await client.callAllowingStatuses(
        { method: 'PUT', path, body, signal },
        StoredAlias,
        [404],
      );
      const { body: storedAlias } =
        updateResult instanceof ForwardingProviderError
          ? await client.call({ method: 'POST', path: aliasesPath, body, signal }, StoredAlias)
          : updateResult;
      const { is_enabled: isEnabled, recipients } = storedAlias;
      assertStored(isEnabled && isSameDestination(recipients.join(','), destination), name);
    },

    remove: async (name, signal) => {
      const path = `${aliasesPath}/${name}`;
      const deleteResult = await client.callAllowingStatuses(
        { method: 'DELETE', path, signal },
        z.unknown(),
        [404, ...DELETE_REFUSED_STATUSES],
      );
      if (!(deleteResult instanceof ForwardingProviderError) || deleteResult.status === 404) return;
      // The alias cannot be deleted, so disable it.
      const findResult = await client.callAllowingStatuses({ path, signal }, StoredAlias, [404]);
      if (findResult instanceof ForwardingProviderError) return;
      const body = aliasBody(name, findResult.body.recipients, false);
      const disableResponse = await client.call({ method: 'PUT', path, body, signal }, StoredAlias);
      assertStored(!disableResponse.body.is_enabled, name);
    },

    list: async (signal) =>
      (await listEnabled(client, aliasesPath, signal)).filter(({ name }) => !isPatternAlias(name)),

    check: async (signal) => findPatternProblems(await listEnabled(client, aliasesPath, signal)),

    advice: `Check FORWARD_EMAIL_API_KEY, that ${mailDomain} is among the account's domains, and that its plan is a paid one.`,
  };
}

// An update resets missing fields. Without `recipients`, mail goes to the owner of the API key.
function aliasBody(name: string, recipients: readonly string[], enabled: boolean) {
  return {
    name,
    recipients,
    description: 'Nameplate',
    labels: [],
    has_recipient_verification: false,
    is_enabled: enabled,
    error_code_if_disabled: 550,
  };
}

async function listEnabled(
  client: ForwardingProviderClient,
  aliasesPath: string,
  signal: AbortSignal,
): Promise<Alias[]> {
  const aliases: Alias[] = [];
  for (let page = 1; ; page += 1) {
    const path = `${aliasesPath}?page=${page}&limit=${PAGE_SIZE}`;
    const { body, headers } = await client.call({ path, signal }, AliasPage);
    for (const { name, recipients, is_enabled: enabled } of body)
      if (enabled) aliases.push({ name, destination: recipients.join(',') });
    if (page >= PageCount.parse(headers['x-page-count'])) return aliases;
  }
}
