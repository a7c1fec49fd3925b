import type { OAuth } from '#server/features/oauth/oauth.ts';
import type { Services } from '#server/features/services.ts';

export interface OAuthServices extends Services {
  oauth: OAuth;
}

/** Undefined if this server is no provider. */
export function findOAuthServices(app: Services): OAuthServices | undefined {
  const { oauth } = app;
  return oauth?.issuer === undefined ? undefined : { ...app, oauth };
}
