import { isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_DATA_DIR } from '#db/embedded/data-folder.ts';
import { MailRequirements, mailSettings } from '../mail/settings.ts';
import { commaSeparatedList, domainNames } from './comma-separated-list.ts';
import { findUnreadableFile, hasMultipleHosts } from './database-url.ts';
import { featuresOff, withoutUnusedSettings } from './feature-settings.ts';
import { ForwardingRequirements, forwardingSettings } from './forwarding-settings.ts';
import { SignOnRequirements, signOnSettings } from './sign-on-settings.ts';
import { SignUpRequirements, signUpSettings } from './sign-up-settings.ts';
import { wholeNumber } from './whole-number.ts';

const port = wholeNumber(0, 65_535, 'must be a port number');

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? '') && text.replace(/\/$/, '') === url?.origin;
}

function isProxyEntry(entry: string): boolean {
  const [address = '', bits, ...extraParts] = entry.split('/');
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(entry)) return true;
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  if (bits === undefined) return maxBits > 0;
  return extraParts.length === 0 && /^[1-9]\d*$/.test(bits) && Number(bits) <= maxBits;
}

/** IPv6 addresses with a port need brackets. */
function isDnsServer(entry: string): boolean {
  const [, ipv6, ipv4, portText = 0] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(entry) ?? [];
  return isIP(ipv6 ?? ipv4 ?? entry) !== 0 && Number(portText) <= 65_535;
}

const domainName = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be a domain name');

const PUBLIC_URL_MESSAGE = {
  message:
    'must be an http or https URL such as https://api.example.com, without path, credentials, query or fragment',
  abort: true,
};

const publicUrl = z
  .string()
  .regex(
    /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?\/*$/,
    PUBLIC_URL_MESSAGE,
  )
  .refine((url) => URL.canParse(url), PUBLIC_URL_MESSAGE)
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

const webUrl = z
  .string()
  .regex(/^https?:\/\/[^\s"<>]+$/, 'must be an http or https URL')
  .refine((url) => URL.canParse(url), 'must be an http or https URL');

/** Unset and empty variables get the default. */
export const Settings = z.object({
  PORT: port.default(3000).describe('Port to listen on. 0 picks a free port.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. 0.0.0.0 means all addresses.'),
  PUBLIC_URL: publicUrl
    .optional()
    .describe(
      'Public URL of the server, used in links, mails and the API reference. Default: the listening address.',
    ),
  PAGES_URL: publicUrl
    .optional()
    .describe(
      'URL of a separate host that serves only public pages. Requires PUBLIC_URL. Default: pages are at PUBLIC_URL.',
    ),
  CUSTOM_DOMAIN_TARGET: domainName
    .optional()
    .describe(
      'Host that custom domains point to. A proxy there needs a certificate for each domain. Requires PUBLIC_URL. Default: no custom domains.',
    ),
  DNS_SERVERS: commaSeparatedList(
    { test: isDnsServer },
    'must be addresses such as 192.0.2.1 or 192.0.2.1:5353, separated by commas',
  )
    .default([])
    .describe(
      'DNS servers for checking custom domains, separated by commas. Default: those of the system.',
    ),
  HOME_URL: webUrl
    .optional()
    .describe('URL that / redirects to. Default: a landing page, which open sign-up requires.'),
  ABUSE_CONTACT: z
    .union([z.email(), webUrl], 'must be an email address or an http or https URL')
    .optional()
    .describe(
      'Email address or URL for reporting pages. Default: a form. Operators see its reports in the dashboard.',
    ),
  PAGE_CACHE_SECONDS: wholeNumber(0, 86_400)
    .default(0)
    .describe(
      'How long a CDN may cache a page, in seconds. Visitors may see an old or hidden page for that long. 0 shows changes at once.',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .refine((url) => !hasMultipleHosts(url), {
      message:
        'must name one host; for several servers, use a proxy that connects to the primary, such as HAProxy',
      abort: true,
    })
    .refine((url) => URL.canParse(url), {
      message:
        'must be a URL such as postgres://user:password@host:5432/database, with the special characters of its parts percent-encoded',
      abort: true,
    })
    .superRefine((url, context) => {
      const problem = findUnreadableFile(url);
      if (problem) context.addIssue(problem);
    })
    .optional()
    .describe(
      'URL of a PostgreSQL server, 15 or newer. Default: the bundled PostgreSQL in DATA_DIR. Connections to another machine are encrypted and verified, unless the URL ends with ?sslmode=disable.',
    ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000)
    .default(10)
    .describe(
      'Maximum number of database connections for writes. The server opens more for reads and jobs.',
    ),
  DATA_DIR: z
    .string()
    .regex(/^[^~]/, 'must be a full path: only a shell expands ~')
    .default(DEFAULT_DATA_DIR)
    .describe('Folder of the bundled PostgreSQL. Only its owner can read it.'),
  BACKUP_DIR: z
    .string()
    .regex(/^[^~]/, 'must be a full path or off: only a shell expands ~')
    .optional()
    .describe(
      'Folder for a backup every night at 3:00 UTC. The last seven days are kept, in at most a tenth of the free disk. off turns nightly backups off. Default: backups in DATA_DIR.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits, as openssl rand -hex 32 prints them')
    .optional()
    .describe(
      'Key that encrypts the secrets of connections and of the mail server: 64 hexadecimal digits, the same on all servers. Default: encryption.key in DATA_DIR, created at the first start. With DATABASE_URL and no key, only connections by email can be stored, and no mail server.',
    ),
  REPLACE_ENCRYPTION_KEY: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe(
      'Set to true for one start with another key, if the former one is lost or was exposed. What that one encrypted stays stored, but cannot be read.',
    ),
  MAIL_DOMAIN: domainName
    .default('nameplate.example')
    .describe('Domain of forwarding addresses: <display_name>@MAIL_DOMAIN.'),
  FORWARDING_REFUSED_DOMAINS: domainNames.describe(
    'Domains that mail is never forwarded to, including subdomains, separated by commas. Special-use domains such as internal are always refused.',
  ),
  ...forwardingSettings,
  ...mailSettings,
  ...signOnSettings,
  CHAT_WEBHOOK_HOSTS: commaSeparatedList(
    /^[a-z0-9.-]+(?::\d{1,5})?$/i,
    'must be host or host:port, separated by commas',
  )
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .optional()
    .describe(
      "Webhook hosts that can be called, as host or host:port, separated by commas. Default: Discord's hosts.",
    ),
  CONNECTION_PRIVATE_ORIGINS: commaSeparatedList(
    { test: isOrigin },
    'must be origins such as http://ntfy.lan:8080, separated by commas',
  )
    .transform((origins) => origins.map((origin) => new URL(origin).origin))
    .default([])
    .describe(
      'Receivers of connections in your own network, as http or https URLs without a path, separated by commas. All other receivers need https and a public address.',
    ),
  CHAT_MESSAGES_PER_MINUTE: wholeNumber(0, 1_000_000)
    .default(300)
    .describe('Chat messages an account can send per minute. 0 means no limit.'),
  RESERVED_NAMES: commaSeparatedList(/^[^\s]+$/, 'must be names, separated by commas')
    .default([])
    .describe(
      'Display names that nobody can claim, in addition to the built-in list, separated by commas.',
    ),
  NAME_QUARANTINE_DAYS: wholeNumber(0, 36_500)
    .default(30)
    .describe(
      'Days before others can claim a released name that had mail or a visible page. 0 means no wait.',
    ),
  TRUST_ACCOUNTS: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe(
      'Set to true if you trust everybody who has an account. Lifts the limits on name changes, held-back names, forwarding addresses, uploads per hour, verified domains, stored responses and events, and lets search engines list new pages at once.',
    ),
  METRICS_MB_PER_DAY: wholeNumber(0, 1_000_000_000)
    .default(10_000)
    .describe('Megabytes of metrics an account can submit per day (UTC). 0 means no limit.'),
  EVENT_DAYS: wholeNumber(0, 36_500)
    .default(90)
    .describe('Days to keep events. 0 keeps them forever.'),
  VISITOR_DAYS: wholeNumber(0, 36_500)
    .default(730)
    .describe('Days to keep the daily page views and clicks. 0 keeps them forever.'),
  COUNTRY_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be the name of a header')
    .optional()
    .describe(
      "Request header in which your proxy sends the visitor's country as a two-letter code, such as CF-IPCountry. The proxy must overwrite values from visitors. Default: countries are not counted.",
    ),
  PROJECTS_PER_ACCOUNT: wholeNumber(0, 1_000_000)
    .default(100)
    .describe('Projects an account can have. 0 means no limit.'),
  KEYS_PER_ACCOUNT: wholeNumber(0, 1_000_000)
    .default(50)
    .describe('API keys an account can have, not counting revoked ones. 0 means no limit.'),
  PICTURES_MB_PER_ACCOUNT: wholeNumber(0, 1_000_000)
    .default(50)
    .describe('Megabytes of pictures an account can store. 0 means no limit.'),
  ...signUpSettings,
  FEATURES_OFF: featuresOff
    .default([])
    .describe(
      'Features that this server leaves out, separated by commas, such as sign-on,week-summaries. Their data stays. docs/features.md lists them. Default: none.',
    ),
  CORS_ORIGINS: commaSeparatedList(
    /^https?:\/\/[^/\s*]+$/,
    'must be origins such as https://example.com',
  )
    .transform((origins) => origins.map((origin) => URL.parse(origin)?.origin ?? origin))
    .default([])
    .describe('Origins that can call the API from a browser, separated by commas. Default: none.'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000)
    .default(0)
    .describe(
      'Requests per minute for each account, and for each network (IPv4 address or IPv6 /64) without a valid key. 0 means no limit.',
    ),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 3_600)
    .default(0)
    .describe(
      'Seconds to keep responding after SIGTERM, while /readyz returns 503, so that load balancers notice.',
    ),
  TRUST_PROXY: commaSeparatedList(
    { test: isProxyEntry },
    'must be addresses or networks such as 10.0.0.1 or 10.0.0.0/8, or loopback, linklocal or uniquelocal, separated by commas',
  )
    .default([])
    .describe(
      'Proxies whose X-Forwarded-For is trusted, separated by commas: IP addresses, networks, loopback, linklocal or uniquelocal.',
    ),
  PROMETHEUS_PORT: port
    .optional()
    .describe('Port for Prometheus metrics of the server, at /metrics. Default: off.'),
  PROMETHEUS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on for Prometheus. Anyone who can reach it can read the metrics.'),
  LOG_REQUESTS: z
    .enum(['all', 'failed', 'none'], 'must be all, failed or none')
    .default('all')
    .describe('Requests to log: all, failed (status 400 and above) or none.'),
  LOG_ADDRESSES: z
    .enum(['none', 'network', 'full'], 'must be none, network or full')
    .default('none')
    .describe(
      'Client addresses in the log: none, network (IPv4 without the last 8 bits, IPv6 the first 48) or full. Mention it in your privacy policy.',
    ),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info')
    .describe('Log level: fatal, error, warn, info, debug, trace or silent.'),
});

/** Cookies belong to the host name; a different port does not separate them. */
function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).hostname;
}

const ConsistentSettings = Settings.refine(
  ({ PAGES_URL, PUBLIC_URL }) => PAGES_URL === undefined || PUBLIC_URL !== undefined,
  { path: ['PUBLIC_URL'], message: 'is needed when PAGES_URL is set, for everything except pages' },
)
  .refine(
    ({ PAGES_URL, PUBLIC_URL }) =>
      PAGES_URL === undefined || hostOf(PAGES_URL) !== hostOf(PUBLIC_URL),
    { path: ['PAGES_URL'], message: 'must have a different host from PUBLIC_URL' },
  )
  .refine(
    ({ CUSTOM_DOMAIN_TARGET, PUBLIC_URL }) => !CUSTOM_DOMAIN_TARGET || PUBLIC_URL !== undefined,
    { path: ['PUBLIC_URL'], message: 'is needed when CUSTOM_DOMAIN_TARGET is set' },
  );

const CommandConfig = ConsistentSettings.and(ForwardingRequirements)
  .and(SignOnRequirements)
  .and(SignUpRequirements);
const Config = CommandConfig.and(MailRequirements);
export type Config = z.infer<typeof Config>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Throws a `ConfigError` that names all invalid settings. Commands may lack what only mails need, so
 * that `login` and `restore` work in a shell with only some of the server's settings.
 */
export function loadConfig(
  env: Record<string, string | undefined>,
  { isCommand = false } = {},
): Config {
  const nonEmpty = Object.fromEntries(
    Object.entries(withoutUnusedSettings(env)).filter(([, value]) => value?.trim()),
  );
  const result = (isCommand ? CommandConfig : Config).safeParse(nonEmpty);
  if (result.success) return result.data;
  // Later issues of a variable usually follow from its first one.
  const byName = Object.groupBy(result.error.issues, ({ path }) => path.join('.'));
  const problems = Object.entries(byName).map(([name, issues]) => `${name} ${issues![0]!.message}`);
  throw new ConfigError(`Invalid settings: ${problems.join('.\n                  ')}.`);
}
