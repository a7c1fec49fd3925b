/** Kinds of clients that an operator added. The others chose their names and addresses themselves. */
export const CHECKED_KINDS = ['website', 'program'] as const;

export function isChecked({ kind }: { kind: string }): boolean {
  return (CHECKED_KINDS as readonly string[]).includes(kind);
}

/** Where websites expect people after the sign-in, below their address, by their software. */
export const REDIRECT_PATHS = {
  nextcloud: '/apps/user_oidc/code',
  gitea: '/user/oauth2/nameplate/callback',
  discourse: '/auth/oidc/callback',
  other: undefined,
} as const;

export function withPath(address: string, path: string): string {
  return (address.endsWith('/') ? address.slice(0, -1) : address) + path;
}
