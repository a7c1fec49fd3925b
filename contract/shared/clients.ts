/** Kinds of clients that an operator added. The others chose their names and addresses themselves. */
export const CHECKED_KINDS = ['website', 'program'] as const;

export function isChecked({ kind }: { kind: string }): boolean {
  return (CHECKED_KINDS as readonly string[]).includes(kind);
}

interface Software {
  /** Where it expects people after the sign-in. Without it, the operator enters it. */
  redirectPath?: string;
  /** Where it lets people go after they signed out here, too. */
  signedOutPath?: string;
  /** Where it learns that a person signed out. */
  logoutPath?: string;
  lacksPkce?: boolean;
}

/** Of websites, with paths below their address. */
const SOFTWARE = {
  nextcloud: {
    redirectPath: '/apps/user_oidc/code',
    signedOutPath: '/',
    logoutPath: '/apps/user_oidc/backchannel-logout/nameplate',
  },
  gitea: { redirectPath: '/user/oauth2/nameplate/callback', lacksPkce: true },
  discourse: { redirectPath: '/auth/oidc/callback' },
  wordpress: {
    redirectPath: '/wp-admin/admin-ajax.php?action=openid-connect-authorize',
    lacksPkce: true,
  },
  wikijs: { lacksPkce: true },
  grafana: { redirectPath: '/login/generic_oauth' },
  apache: { redirectPath: '/oidc/callback', logoutPath: '/oidc/callback?logout=backchannel' },
  'oauth2-proxy': { redirectPath: '/oauth2/callback' },
  other: {},
} satisfies Readonly<Record<string, Software>>;

export type SoftwareName = keyof typeof SOFTWARE;

export const SOFTWARE_NAMES = Object.keys(SOFTWARE) as SoftwareName[];

export function lacksPkce(name: SoftwareName): boolean {
  const { lacksPkce: isWithout = false }: Software = SOFTWARE[name];
  return isWithout;
}

interface Addresses {
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  backchannel_logout_uri: string | null;
}

/** What follows from the software and the address of a website. */
export function deriveAddresses(name: SoftwareName, address: string | null): Addresses {
  const { redirectPath, signedOutPath, logoutPath }: Software = SOFTWARE[name];
  const at = (path: string | undefined) => (address && path ? withPath(address, path) : undefined);
  return {
    redirect_uris: [at(redirectPath) ?? []].flat(),
    post_logout_redirect_uris: [at(signedOutPath) ?? []].flat(),
    backchannel_logout_uri: at(logoutPath) ?? null,
  };
}

type AddressFields = Addresses & { address: string | null };

/**
 * What followed from the old address of a website follows from the new one. What was entered by hand
 * stays. `edited` is the website as a form shows it.
 */
export function followAddress(
  name: SoftwareName,
  website: AddressFields,
  address: string | null,
  edited: AddressFields = website,
): Partial<Addresses> {
  const derive = (from: string | null) => deriveAddresses(name, from);
  const isDerived = (fields: AddressFields, field: keyof Addresses) =>
    String(fields[field]) === String(derive(fields.address)[field]);
  const followers = Object.entries(derive(address)).filter(([key]) => {
    const field = key as keyof Addresses;
    const hasValue = String(website[field] ?? '') !== '';
    return hasValue && isDerived(website, field) && isDerived(edited, field);
  });
  return Object.fromEntries(followers);
}

function withPath(address: string, path: string): string {
  return (address.endsWith('/') ? address.slice(0, -1) : address) + path;
}
