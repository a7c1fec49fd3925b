import { cacheForMinute } from '#server/platform/cache-for-minute.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { SignUpMode } from '#server/platform/settings/sign-up-settings.ts';
import { IdentityProvider } from './identity-provider.ts';
import type { SignOnError } from './sign-on-error.ts';

export interface SignUpPolicy {
  allowsAnyone: boolean;
  takesApplications: boolean;
  allowedGroups: readonly string[];
  allowedDomains: readonly string[];
  /** Treats email addresses without the claim `email_verified` as verified. */
  trustsEmail: boolean;
  suspendsLeavers: boolean;
}

export interface SignOnProvider {
  provider: Pick<IdentityProvider, 'begin' | 'finish' | 'check' | 'verifyLogout'>;
  /** At most a minute old. */
  findError: () => Promise<SignOnError | undefined>;
  name: string;
  signUpPolicy: SignUpPolicy;
  operatorGroup: string | undefined;
  /** Aborts in-flight requests. */
  abort: () => void;
  close: () => Promise<void>;
}

type Settings = Pick<Config, 'OIDC_ALLOWED_DOMAINS' | 'OIDC_ALLOWED_GROUPS'> & {
  REGISTRATION: SignUpMode;
  OIDC_TRUST_EMAIL?: Config['OIDC_TRUST_EMAIL'];
  OIDC_LEAVERS?: Config['OIDC_LEAVERS'];
  OIDC_OPERATOR_GROUP?: string | undefined;
} & {
  [Name in `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'NAME'}`]?: string | undefined;
};

/** Returns undefined if single sign-on is not configured. */
export function createSignOn(settings: Settings): SignOnProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET } = settings;
  if (issuer === undefined) return undefined;
  const { OIDC_OPERATOR_GROUP: operatorGroup } = settings;
  const signUpPolicy = {
    allowsAnyone: settings.REGISTRATION === 'open',
    takesApplications: settings.REGISTRATION === 'approval',
    allowedGroups: settings.OIDC_ALLOWED_GROUPS,
    allowedDomains: settings.OIDC_ALLOWED_DOMAINS,
    trustsEmail: settings.OIDC_TRUST_EMAIL === 'true',
    suspendsLeavers: settings.OIDC_LEAVERS === 'suspend',
  };
  const provider = new IdentityProvider({
    issuer,
    clientId,
    clientSecret: OIDC_CLIENT_SECRET ?? '',
    needsGroups: signUpPolicy.allowedGroups.length > 0 || operatorGroup !== undefined,
  });
  const name = settings.OIDC_NAME ?? new URL(issuer).host;
  return {
    provider,
    findError: cacheForMinute(() => provider.check()),
    name,
    signUpPolicy,
    operatorGroup,
    abort: () => void provider.close(),
    close: () => provider.close(),
  };
}
