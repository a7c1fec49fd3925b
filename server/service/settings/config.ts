import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { namesSeveralHosts } from './database-url.ts';
import { ForwardingChoice, forwardingSettings } from '../forwarding/settings.ts';
import { MailChoice, mailSettings } from '../mail/settings.ts';

const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(0, 'must be a port number')
  .max(65_535, 'must be a port number');

const MAX_WORKERS = 256;
const WORKERS_MESSAGE = `must be a whole number from 1 to ${MAX_WORKERS}, or auto`;

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`);

function list(item: Pick<RegExp, 'test'>, message: string) {
  return z.string().transform((text, context) => {
    const items = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const bad = items.filter((entry) => !item.test(entry));
    if (bad.length > 0)
      context.addIssue({ code: 'custom', message: `${message}: ${bad.join(', ')}` });
    return items;
  });
}

/** An address, a network, or a name that Fastify knows for some. */
function isProxy(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(entry)) return true;
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  if (bits === undefined) return longest > 0;
  return rest.length === 0 && /^[1-9]\d*$/.test(bits) && Number(bits) <= longest;
}

const OWN_ADDRESS = {
  message:
    'must be an http or https URL such as https://api.example.com, without credentials, query or fragment',
  abort: true,
};

/** Where people find a part of the service. */
const ownAddress = z
  .string()
  .regex(
    /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/,
    OWN_ADDRESS,
  )
  .refine((url) => URL.canParse(url), OWN_ADDRESS)
  .transform((url) => url.replace(/\/+$/, ''));

const webAddress = z
  .string()
  .regex(/^https?:\/\/[^\s"<>]+$/, 'must be an http or https URL')
  .refine((url) => URL.canParse(url), 'must be an http or https URL');

/** Every setting, with its default: an unset or empty variable has its default. */
export const Settings = z.object({
  PORT: port.default(3000).describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all.'),
  PUBLIC_URL: ownAddress
    .optional()
    .describe(
      'Address at which callers find the server, as its API reference names it; without it, the one that was asked.',
    ),
  PAGES_URL: ownAddress
    .optional()
    .describe(
      'Address of the pages of sites at a host of their own, where nothing else answers; without it they are at PUBLIC_URL, which it needs.',
    ),
  HOME_URL: webAddress
    .optional()
    .describe('Where the bare address of the server leads; without it, to the dashboard.'),
  ABUSE_CONTACT: z
    .union([z.email(), webAddress], 'must be an e-mail address or an http or https URL')
    .optional()
    .describe('Where visitors report a page: an e-mail address or a URL; every page names it.'),
  PAGE_CACHE_SECONDS: wholeNumber(0, 86_400)
    .default(0)
    .describe(
      'Seconds for which a CDN may show a page without asking, hidden ones too; 0: a change shows at once.',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .refine((url) => !namesSeveralHosts(url), {
      message:
        'must name one host; for several servers put a proxy before them that leads to the primary, such as HAProxy',
      abort: true,
    })
    .refine((url) => URL.canParse(url), {
      message:
        'must be a URL such as postgres://user:password@host:5432/database, with the special characters of its parts percent-encoded',
      abort: true,
    })
    .optional()
    .describe(
      'PostgreSQL server (15 or newer) to use; without it one of its own is run in DATA_DIR. A connection to another machine is encrypted and its certificate checked, unless the URL ends with ?sslmode=disable.',
    ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000)
    .default(10)
    .describe('Connections to the PostgreSQL server at most.'),
  WORKERS: z
    .preprocess(
      (value) => (value === 'auto' ? availableParallelism() : value),
      z.coerce
        .number(WORKERS_MESSAGE)
        .int(WORKERS_MESSAGE)
        .min(1, WORKERS_MESSAGE)
        .max(MAX_WORKERS, WORKERS_MESSAGE)
        .default(1),
    )
    .describe(
      'Processes that answer requests, on one port; auto for as many as the machine has processors. They share DATABASE_POOL_SIZE.',
    ),
  DATA_DIR: z
    .string()
    .regex(/^[^~]/, 'must be written out: only a shell knows what ~ means')
    .default('./data')
    .describe('Folder of the PostgreSQL that comes along; private to the user that it belongs to.'),
  MAIL_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be a domain name')
    .default('nameplate.example')
    .describe('Domain of the forwarding addresses <display_name>@{mail_domain}.'),
  FORWARDING_REFUSED_DOMAINS: list(/^[a-z0-9.-]+$/i, 'must be domain names, separated by commas')
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .default([])
    .describe(
      'Domains that no mail is forwarded to, each with all below it, separated by commas; those of special use, such as internal, are always among them.',
    ),
  ...forwardingSettings,
  ...mailSettings,
  CHAT_WEBHOOK_HOSTS: list(
    /^[a-z0-9.-]+(?::\d{1,5})?$/i,
    'must be host or host:port, separated by commas',
  )
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .optional()
    .describe(
      "Hosts that webhooks may be called on, separated by commas, each host or host:port; replaces the chat platform's own.",
    ),
  CHAT_MESSAGES_PER_MINUTE: wholeNumber(0, 1_000_000)
    .default(300)
    .describe('Chat messages that an account may send in a minute; 0 for any number.'),
  RESERVED_NAMES: list(/^[^\s]+$/, 'must be names, separated by commas')
    .default([])
    .describe('Further display names that nobody may take, separated by commas.'),
  NAME_QUARANTINE_DAYS: wholeNumber(0, 36_500)
    .default(30)
    .describe(
      'Days that a name which had mail or a visible page stays out of reach of others; 0 turns the days off.',
    ),
  TRUST_ACCOUNTS: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe(
      'Whether you know everybody who has an account: true lifts the limits on name changes, names held back, forwarding addresses, stored answers and events, and lets search engines list new pages at once.',
    ),
  METRICS_MB_PER_DAY: wholeNumber(0, 1_000_000_000)
    .default(10_000)
    .describe('Megabytes of metrics that an account may submit in a day (UTC); 0 for any number.'),
  EVENT_DAYS: wholeNumber(0, 36_500)
    .default(90)
    .describe('Days that events are kept; 0 for any number.'),
  PROJECTS_PER_ACCOUNT: wholeNumber(0, 1_000_000)
    .default(100)
    .describe('Projects that an account may have; 0 for any number.'),
  KEYS_PER_ACCOUNT: wholeNumber(0, 1_000_000)
    .default(50)
    .describe('Keys that an account may have, without those that are revoked; 0 for any number.'),
  REGISTRATION: z
    .enum(['invite', 'closed'], 'must be invite or closed')
    .default('invite')
    .describe('Who may make an account: whoever was invited, or nobody but the command line.'),
  CORS_ORIGINS: list(/^https?:\/\/[^/\s*]+$/, 'must be origins such as https://example.com')
    .default([])
    .describe(
      'Origins that may call the API from a browser, separated by commas; none by default.',
    ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000)
    .default(0)
    .describe(
      'Requests that an account may make in a minute, and requests with keys that are not valid from one address; 0 for no limit.',
    ),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 3_600)
    .default(0)
    .describe(
      'Seconds for which the server goes on answering after SIGTERM, while /readyz is 503 already: as many as a load balancer needs to notice.',
    ),
  TRUST_PROXY: list(
    { test: isProxy },
    'must be addresses or networks such as 10.0.0.1 or 10.0.0.0/8, or loopback, linklocal or uniquelocal, separated by commas',
  )
    .default([])
    .describe(
      'Proxies whose X-Forwarded-For is believed, separated by commas: addresses, networks, loopback, linklocal or uniquelocal; with it the address of every client is logged.',
    ),
  PROMETHEUS_PORT: port
    .optional()
    .describe(
      'Port at which Prometheus finds metrics of the server itself, at /metrics; none by default.',
    ),
  PROMETHEUS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of that port; whoever reaches it can read the metrics.'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info')
    .describe('How much is logged: fatal, error, warn, info, debug, trace or silent.'),
});

/** The name of its host, which is what cookies are bound to; a port would not keep them apart. */
function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).hostname;
}

const Consistent = Settings.refine(
  ({ PAGES_URL, PUBLIC_URL }) => PAGES_URL === undefined || PUBLIC_URL !== undefined,
  {
    path: ['PUBLIC_URL'],
    message: 'is needed when PAGES_URL is set, for all that is not a page',
  },
).refine(
  ({ PAGES_URL, PUBLIC_URL }) =>
    PAGES_URL === undefined || hostOf(PAGES_URL) !== hostOf(PUBLIC_URL),
  { path: ['PAGES_URL'], message: 'must have another host than PUBLIC_URL' },
);

const Config = Consistent.and(ForwardingChoice).and(MailChoice);
export type Config = z.infer<typeof Config>;

/** Settings that cannot be used, all of them named. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings from environment variables; throws a `ConfigError` that names all that are wrong. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = Config.safeParse(set);
  if (result.success) return result.data;
  // Further complaints about a variable mostly follow from the first.
  const byName = Object.groupBy(result.error.issues, ({ path }) => path.join('.'));
  const complaints = Object.entries(byName).map(
    ([name, issues]) => `${name} ${issues![0]!.message}`,
  );
  throw new ConfigError(`Bad settings: ${complaints.join('.\n              ')}.`);
}
