import type { Scope } from '#contract/scope.ts';

/** What websites can ask for. */
export const WEBSITE_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const;

/** What a member can allow an AI client. `read` is always part of it; `all` stands alone. */
export const APP_SCOPES = ['read', 'page', 'metrics', 'all'] as const;

/** The scopes of a token and its grant as those of a caller: the first one is the widest. */
export function toCallerScopes(
  granted: readonly string[],
  tokenScope: string,
): [Scope, ...Scope[]] {
  const asked = tokenScope.split(' ');
  const has = (scope: (typeof APP_SCOPES)[number]) =>
    granted.includes(scope) && asked.includes(scope);
  if (has('all')) return [granted.includes('operator') ? 'operator' : 'all'];
  return ['read', ...(['page', 'metrics'] as const).filter(has)];
}
