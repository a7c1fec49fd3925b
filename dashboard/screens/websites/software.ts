import type { SoftwareName } from '#contract/shared/clients.ts';
import { instanceName } from '#dashboard/instance.ts';
import { t } from '#dashboard/translate.ts';

/** What an operator enters in the software. */
interface Values {
  issuer: string;
  id: string;
  secret: string;
  redirectUri: string;
  /** Where people go after they signed out. */
  signedOutUri: string | undefined;
  /** For a cookie of the software. */
  randomText: string;
}

interface Software {
  title: string;
  redirectHint?: string;
  /** Where to enter the values. */
  where: string;
  /** Fields and values, with the software's own labels. */
  rows?: (values: Values) => [label: string, value: string][];
  /** Lines for its configuration file. */
  lines?: (values: Values) => string;
}

/** The name of this server in the software, which is part of some addresses there. */
const NAME = 'nameplate';
const SCOPES = 'openid profile email groups';
const discovery = (issuer: string) => `${issuer}/.well-known/openid-configuration`;

const listAll: Software['rows'] = ({ issuer, id, secret, redirectUri }) => [
  ['Client ID', id],
  ['Client Secret', secret],
  ['Authorization Endpoint URL', `${issuer}/oauth/authorize`],
  ['Token Endpoint URL', `${issuer}/oauth/token`],
  ['User Info Endpoint URL', `${issuer}/oauth/userinfo`],
  ['Issuer', issuer],
  ['Discovery document', discovery(issuer)],
  ['Logout URL', `${issuer}/oauth/logout`],
  ['Redirect URI', redirectUri],
  ['Scopes', SCOPES],
];

/** The redirect address of Apache is below it. */
function protectedPath(redirectUri: string): string {
  const folder = redirectUri.endsWith('/oidc/callback') ? '..' : '.';
  return URL.parse(folder, redirectUri)?.pathname.slice(0, -1) || '/';
}

/** `docs/sign-in-for-others.md` describes the same settings. */
export const SOFTWARE: Readonly<Record<SoftwareName, Software>> = {
  nextcloud: {
    title: 'Nextcloud',
    where: t(
      'Install the app “OpenID Connect user backend”. Then open Administration settings, OpenID Connect, and add a provider.',
    ),
    rows: ({ issuer, id, secret }) => [
      ['Identifier', NAME],
      ['Client ID', id],
      ['Client secret', secret],
      ['Discovery endpoint', discovery(issuer)],
      ['Scope', SCOPES],
      ['User ID mapping', 'sub'],
      ['Display name mapping', 'name'],
      ['Email mapping', 'email'],
      ['Groups mapping', 'groups'],
    ],
  },
  gitea: {
    title: 'Gitea, Forgejo',
    where: t('Open Site Administration, Authentication Sources, and add one of the type OAuth2.'),
    rows: ({ issuer, id, secret }) => [
      ['Authentication Name', NAME],
      ['OAuth2 Provider', 'OpenID Connect'],
      ['Client ID (Key)', id],
      ['Client Secret', secret],
      ['OpenID Connect Auto Discovery URL', discovery(issuer)],
      ['Additional Scopes', 'profile email groups'],
      ['Claim name providing group names', 'groups'],
      ['Group Claim value for administrator users', 'operators'],
    ],
  },
  discourse: {
    title: 'Discourse',
    where: t('Open Admin, Settings, and search for “openid connect”.'),
    rows: ({ issuer, id, secret }) => [
      ['openid_connect_enabled', 'true'],
      ['openid_connect_discovery_document', discovery(issuer)],
      ['openid_connect_client_id', id],
      ['openid_connect_client_secret', secret],
      ['openid_connect_authorize_scope', 'openid profile email'],
      ['openid_connect_use_pkce', 'true'],
    ],
  },
  wordpress: {
    title: 'WordPress',
    where: t(
      'Install the plugin “OpenID Connect Generic Client”. Then open Settings, OpenID Connect Client.',
    ),
    rows: ({ issuer, id, secret }) => [
      ['Client ID', id],
      ['Client Secret Key', secret],
      ['OpenID Scope', 'openid profile email'],
      ['Login Endpoint URL', `${issuer}/oauth/authorize`],
      ['Userinfo Endpoint URL', `${issuer}/oauth/userinfo`],
      ['Token Validation Endpoint URL', `${issuer}/oauth/token`],
      ['End Session Endpoint URL', `${issuer}/oauth/logout`],
      ['Identity Key', 'preferred_username'],
      ['Nickname Key', 'preferred_username'],
      ['Display Name Formatting', '{name}'],
    ],
  },
  wikijs: {
    title: 'Wiki.js',
    redirectHint: t('Wiki.js shows it as “Callback URL / Redirect URI”.'),
    where: t(
      'Open Administration, Authentication, and add the strategy “Generic OpenID Connect / OAuth2”.',
    ),
    rows: listAll,
  },
  grafana: {
    title: 'Grafana',
    where: t('Add these lines to grafana.ini, and restart Grafana.'),
    lines: ({ issuer, id, secret }) => `[auth.generic_oauth]
enabled = true
name = ${instanceName.value}
client_id = ${id}
client_secret = ${secret}
scopes = ${SCOPES}
auth_url = ${issuer}/oauth/authorize
token_url = ${issuer}/oauth/token
api_url = ${issuer}/oauth/userinfo
use_pkce = true
login_attribute_path = preferred_username || email
role_attribute_path = contains(groups[*], 'operators') && 'Admin' || 'Viewer'`,
  },
  apache: {
    title: 'Apache',
    redirectHint: t(
      'Apache protects the path before /oidc/callback, such as /members, or everything.',
    ),
    where: t(
      'Install the package libapache2-mod-auth-openidc, run “a2enmod headers”, add these lines to the VirtualHost of the website, and restart Apache.',
    ),
    lines: ({
      issuer,
      id,
      secret,
      redirectUri,
      randomText,
    }) => `OIDCProviderMetadataURL ${discovery(issuer)}
OIDCClientID ${id}
OIDCClientSecret ${secret}
OIDCRedirectURI ${redirectUri}
OIDCCryptoPassphrase ${randomText}
OIDCScope "${SCOPES}"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub
OIDCDefaultURL ${URL.parse(protectedPath(redirectUri), redirectUri)?.href}
<Location ${protectedPath(redirectUri)}>
  AuthType openid-connect
  Require valid-user
  <IfModule mod_headers.c>
    Header always set Cache-Control "private, no-store"
  </IfModule>
</Location>`,
    rows: ({ redirectUri, signedOutUri = '' }) => [
      [t('Link to sign out'), `${redirectUri}?logout=${encodeURIComponent(signedOutUri)}`],
    ],
  },
  'oauth2-proxy': {
    title: 'oauth2-proxy',
    where: t('Add these lines to its configuration, and restart it.'),
    lines: ({ issuer, id, secret, redirectUri }) => `provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${id}"
client_secret = "${secret}"
redirect_url = "${redirectUri}"
scope = "${SCOPES}"
code_challenge_method = "S256"
email_domains = ["*"]`,
  },
  other: {
    title: t('Something else'),
    redirectHint: t('The website shows it as “Callback URL” or “Redirect URI”.'),
    where: t('Look for “OpenID Connect” in its settings.'),
    rows: listAll,
  },
};

export const SOFTWARE_TITLES = Object.entries(SOFTWARE).map(
  ([name, { title }]) => [name as SoftwareName, title] as const,
);
