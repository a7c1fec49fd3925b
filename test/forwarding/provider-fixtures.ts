import { createCloudflareProvider } from '#server/features/forwarding/cloudflare.ts';
import { createForwardEmailProvider } from '#server/features/forwarding/forward-email-provider.ts';
import type { ForwardingProvider } from '#server/features/forwarding/forwarding-provider.ts';
import { createImprovmxProvider } from '#server/features/forwarding/improvmx.ts';
import {
  ACCOUNT_ID,
  CLOUDFLARE_TOKEN,
  type FakeCloudflare,
  ZONE_ID,
  startFakeCloudflare,
} from './fake-cloudflare.ts';
import {
  FORWARD_EMAIL_KEY,
  type FakeForwardEmail,
  startFakeForwardEmail,
} from './fake-forward-email.ts';
import { type FakeImprovmx, IMPROVMX_KEY, startFakeImprovmx } from './fake-improvmx.ts';
import type { FakeProvider } from './fake-provider.ts';

const mailDomain = 'nameplate.example';

/** A fake provider API, and the `ForwardingProvider` that calls it. */
export interface ProviderFixture {
  fake: FakeProvider;
  provider: ForwardingProvider;
  createProvider: (key: string) => ForwardingProvider;
  secret: string;
  /** Server settings that select this provider. */
  settings: Record<string, string>;
  destinationsOf: (name: string) => string[];
  /** Confirms an address at the fake, if the provider requires that. */
  confirm: (email: string) => void;
  /** Adds an alias to the fake, as if the operator had created it. */
  addAlias: (name: string, destination: string) => void;
  /** Adds a catch-all alias to the fake. The check must report it. */
  addCatchAll: (destination: string) => void;
}

export const providerFixtures: Record<string, () => Promise<ProviderFixture>> = {
  improvmx: async () => {
    const fake: FakeImprovmx = await startFakeImprovmx();
    const createProvider = (apiKey: string) =>
      createImprovmxProvider({ apiKey, baseUrl: fake.url, mailDomain });
    return {
      fake,
      createProvider,
      provider: createProvider(IMPROVMX_KEY),
      secret: IMPROVMX_KEY,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'improvmx',
        IMPROVMX_API_KEY: IMPROVMX_KEY,
        FORWARDING_API_URL: fake.url,
      },
      destinationsOf: (name) => [fake.aliases.get(name) ?? []].flat(),
      confirm: () => {},
      addAlias: (name, destination) => fake.aliases.set(name, destination),
      addCatchAll: (destination) => fake.aliases.set('*', destination),
    };
  },
  'forward-email': async () => {
    const fake: FakeForwardEmail = await startFakeForwardEmail();
    const createProvider = (apiKey: string) =>
      createForwardEmailProvider({ apiKey, baseUrl: fake.url, mailDomain });
    const addAlias = (name: string, destination: string) =>
      fake.aliases.set(name, {
        ...{ id: `planted-${name}`, object: 'alias', name, recipients: [destination] },
        ...{ is_enabled: true, has_recipient_verification: false, error_code_if_disabled: 250 },
        ...{ labels: [], description: '' },
      });
    return {
      fake,
      createProvider,
      provider: createProvider(FORWARD_EMAIL_KEY),
      secret: FORWARD_EMAIL_KEY,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'forward-email',
        FORWARD_EMAIL_API_KEY: FORWARD_EMAIL_KEY,
        FORWARDING_API_URL: fake.url,
      },
      destinationsOf: (name) => {
        const alias = fake.aliases.get(name);
        return alias?.is_enabled ? alias.recipients : [];
      },
      confirm: () => {},
      addAlias,
      addCatchAll: (destination) => addAlias('*', destination),
    };
  },
  cloudflare: async () => {
    const fake: FakeCloudflare = await startFakeCloudflare();
    const createProvider = (apiToken: string) =>
      createCloudflareProvider({
        apiToken,
        zoneId: ZONE_ID,
        accountId: ACCOUNT_ID,
        baseUrl: fake.url,
        mailDomain,
        recordDestination: async () => {},
      });
    const confirm = (email: string) => {
      if (![...fake.addresses.values()].some((address) => address.email === email))
        fake.addresses.set(email, { id: email, email, verified: null });
      fake.verify(email);
    };
    return {
      fake,
      createProvider,
      provider: createProvider(CLOUDFLARE_TOKEN),
      secret: CLOUDFLARE_TOKEN,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'cloudflare',
        CLOUDFLARE_API_TOKEN: CLOUDFLARE_TOKEN,
        CLOUDFLARE_ZONE_ID: ZONE_ID,
        CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
        FORWARDING_API_URL: fake.url,
      },
      destinationsOf: (name) => fake.destinations(`${name}@${mailDomain}`),
      confirm,
      addAlias: (name, destination) => {
        fake.rules.set(`planted-${name}`, {
          ...{ id: `planted-${name}`, name: 'by hand', enabled: true, priority: 0 },
          matchers: [{ type: 'literal', field: 'to', value: `${name}@${mailDomain}` }],
          actions: [{ type: 'forward', value: [destination] }],
        });
      },
      addCatchAll: (destination) => {
        fake.catchAll = { enabled: true, actions: [{ type: 'forward', value: [destination] }] };
      },
    };
  },
};
