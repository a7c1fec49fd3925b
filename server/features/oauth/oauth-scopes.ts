import type { AppScope, Scope } from '#contract/scope.ts';

/** What websites can ask for. */
export const WEBSITE_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const;

/** What a member can allow an AI client. `read` is always part of it; `all` stands alone. */
export const PROGRAM_SCOPES = ['read', 'page', 'metrics', 'all'] as const;

type GrantedScope = Extract<AppScope, (typeof PROGRAM_SCOPES)[number] | 'operator'>;

/** The scopes of a grant as those of a caller: the first one is the widest. */
export function toCallerScopes(granted: readonly string[]): [Scope, ...AppScope[]] {
  const has = (scope: GrantedScope) => granted.includes(scope);
  if (has('all')) return [has('operator') ? 'operator' : 'all'];
  return ['read', ...(['page', 'metrics'] as const).filter(has)];
}
