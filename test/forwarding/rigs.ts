import { cloudflare } from '#server/features/forwarding/cloudflare.ts';
import { forwardEmail } from '#server/features/forwarding/forward-email.ts';
import { improvmx } from '#server/features/forwarding/improvmx.ts';
import type { ForwardingProvider } from '#server/features/forwarding/forwarding-provider.ts';
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
export interface Rig {
  fake: FakeProvider;
  provider: ForwardingProvider;
  withKey: (key: string) => ForwardingProvider;
  secret: string;
  /** Settings of a server that uses it. */
  settings: Record<string, string>;
  /** The destination of a name in the fake. */
  seen: (name: string) => string[];
  /** Confirms an address, if the provider requires that. */
  agree: (email: string) => void;
  /** Adds an alias, as if created manually. */
  plant: (name: string, destination: string) => void;
  /** Adds a catch-all alias, which the check must report. */
  plantCatchAll: (destination: string) => void;
}

export const rigs: Record<string, () => Promise<Rig>> = {
  improvmx: async () => {
    const fake: FakeImprovmx = await startFakeImprovmx();
    const withKey = (apiKey: string) => improvmx({ apiKey, baseUrl: fake.url, mailDomain });
    return {
      fake,
      withKey,
      provider: withKey(IMPROVMX_KEY),
      secret: IMPROVMX_KEY,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'improvmx',
        IMPROVMX_API_KEY: IMPROVMX_KEY,
        FORWARDING_API_URL: fake.url,
      },
      seen: (name) => [fake.aliases.get(name) ?? []].flat(),
      agree: () => {},
      plant: (name, destination) => fake.aliases.set(name, destination),
      plantCatchAll: (destination) => fake.aliases.set('*', destination),
    };
  },
  'forward-email': async () => {
    const fake: FakeForwardEmail = await startFakeForwardEmail();
    const withKey = (apiKey: string) => forwardEmail({ apiKey, baseUrl: fake.url, mailDomain });
    const plant = (name: string, destination: string) =>
      fake.aliases.set(name, {
        id: `planted-${name}`,
        object: 'alias',
        name,
        recipients: [destination],
        is_enabled: true,
        has_recipient_verification: false,
        error_code_if_disabled: 250,
        labels: [],
        description: '',
      });
    return {
      fake,
      withKey,
      provider: withKey(FORWARD_EMAIL_KEY),
      secret: FORWARD_EMAIL_KEY,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'forward-email',
        FORWARD_EMAIL_API_KEY: FORWARD_EMAIL_KEY,
        FORWARDING_API_URL: fake.url,
      },
      seen: (name) => {
        const alias = fake.aliases.get(name);
        return alias?.is_enabled ? alias.recipients : [];
      },
      agree: () => {},
      plant,
      plantCatchAll: (destination) => plant('*', destination),
    };
  },
  cloudflare: async () => {
    const fake: FakeCloudflare = await startFakeCloudflare();
    const withKey = (apiToken: string) =>
      cloudflare({
        apiToken,
        zoneId: ZONE_ID,
        accountId: ACCOUNT_ID,
        baseUrl: fake.url,
        mailDomain,
        noteDestination: async () => {},
      });
    const agree = (email: string) => {
      if (![...fake.addresses.values()].some((address) => address.email === email))
        fake.addresses.set(email, { id: email, email, verified: null });
      fake.verify(email);
    };
    return {
      fake,
      withKey,
      provider: withKey(CLOUDFLARE_TOKEN),
      secret: CLOUDFLARE_TOKEN,
      settings: {
        EMAIL_FORWARDING_PROVIDER: 'cloudflare',
        CLOUDFLARE_API_TOKEN: CLOUDFLARE_TOKEN,
        CLOUDFLARE_ZONE_ID: ZONE_ID,
        CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
        FORWARDING_API_URL: fake.url,
      },
      seen: (name) => fake.destinations(`${name}@${mailDomain}`),
      agree,
      plant: (name, destination) => {
        fake.rules.set(`planted-${name}`, {
          id: `planted-${name}`,
          name: 'by hand',
          enabled: true,
          priority: 0,
          matchers: [{ type: 'literal', field: 'to', value: `${name}@${mailDomain}` }],
          actions: [{ type: 'forward', value: [destination] }],
        });
      },
      plantCatchAll: (destination) => {
        fake.catchAll = { enabled: true, actions: [{ type: 'forward', value: [destination] }] };
      },
    };
  },
};
