import type { Config } from '#server/settings/config.ts';
import type { Registration } from '#server/settings/registration.ts';
import { Provider } from './provider.ts';

/** Who gets an account at their first single sign-on. */
export interface Admission {
  everybody: boolean;
  groups: readonly string[];
  /** Domains of verified email addresses, in lower case. */
  domains: readonly string[];
}

/** Single sign-on as the operator set it up. */
export interface SignOn {
  provider: Pick<Provider, 'begin' | 'finish'>;
  /** Name of the provider, for people. */
  name: string;
  admission: Admission;
}

type Settings = Pick<Config, 'OIDC_ALLOWED_DOMAINS' | 'OIDC_ALLOWED_GROUPS'> & {
  REGISTRATION: Registration;
} & {
  [Name in `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'NAME'}`]?: string | undefined;
};

/** Single sign-on by these settings; undefined if they have none. `close` breaks off what is under way. */
export function createSignOn(
  settings: Settings,
): (SignOn & { close: () => Promise<void> }) | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET } = settings;
  if (issuer === undefined) return undefined;
  const admission = {
    everybody: settings.REGISTRATION === 'open',
    groups: settings.OIDC_ALLOWED_GROUPS,
    domains: settings.OIDC_ALLOWED_DOMAINS,
  };
  const provider = new Provider({
    issuer,
    clientId,
    clientSecret: OIDC_CLIENT_SECRET ?? '',
    needsGroups: admission.groups.length > 0,
  });
  const name = settings.OIDC_NAME ?? new URL(issuer).host;
  return { provider, name, admission, close: () => provider.close() };
}
