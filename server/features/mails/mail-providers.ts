import { Resolver } from 'node:dns/promises';
import services from 'nodemailer/lib/well-known/services.json' with { type: 'json' };
import { MAIL_PORTS } from '#contract/shared/mail-servers.ts';
import type { Translator } from '#translations/translator.ts';

/**
 * Providers that Nodemailer's list lacks, or whose login needs an explanation. The last column are
 * the mail servers (MX) of their customers' domains. `mx` as the host means that mail server.
 */
const TABLE = `
ALL-INKL | mx:465 | | | kasserver.com
AOL | smtp.aol.com:465 | app | aol.com aol.de
Fastmail | smtp.fastmail.com:465 | app | fastmail.com fastmail.fm | messagingengine.com
freenet | mx.freenet.de:587 | allow | freenet.de
Gandi | mail.gandi.net:465 | | | gandi.net
Gmail | smtp.gmail.com:465 | app | gmail.com googlemail.com | google.com googlemail.com
GMX | mail.gmx.net:587 | allow | gmx.de gmx.net gmx.at gmx.ch
GMX.com | mail.gmx.com:587 | allow | gmx.com gmx.us gmx.co.uk gmx.fr
Hetzner | mail.your-server.de:465 | | | your-server.de
iCloud | smtp.mail.me.com:587 | app | icloud.com me.com mac.com | mail.icloud.com
Infomaniak | mail.infomaniak.com:465 | app | ik.me ikmail.com etik.com | infomaniak.ch
IONOS | smtp.ionos.de:465 | | | ionos.de kundenserver.de
IONOS (international) | smtp.ionos.com:465 | | | ionos.com 1and1.com
mailbox.org | smtp.mailbox.org:465 | | mailbox.org | mailbox.org
Microsoft 365 | smtp.office365.com:587 | admin | | mail.protection.outlook.com mx.microsoft
Outlook.com | smtp-mail.outlook.com:587 | none | outlook.com outlook.de hotmail.com hotmail.de live.com live.de msn.com
OVH | ssl0.ovh.net:465 | | | ovh.net
Posteo | posteo.de:465 | | posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch
Proton | smtp.protonmail.ch:587 | app | proton.me protonmail.com pm.me | protonmail.ch
Strato | smtp.strato.de:465 | | | rzone.de
T-Online | securesmtp.t-online.de:465 | app | t-online.de magenta.de
WEB.DE | smtp.web.de:587 | allow | web.de
Yahoo | smtp.mail.yahoo.com:465 | app | yahoo.com yahoo.de yahoo.fr yahoo.co.uk ymail.com
Zoho | smtppro.zoho.com:465 | app | | zoho.com
Zoho (EU) | smtppro.zoho.eu:465 | app | | zoho.eu
`;

interface Service {
  host?: string;
  port?: number | string;
  domains?: string[];
}

interface Provider {
  name: string;
  host: string;
  port: number;
  login: string;
  domains: readonly string[];
  mx: readonly string[];
}

const ROWS = TABLE.trim()
  .split('\n')
  .map((line): Provider => {
    const [name = '', address = '', login = '', domains = '', mx = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const [host = '', port] = address.split(':');
    return {
      name,
      host,
      port: Number(port),
      login,
      domains: domains.split(' '),
      mx: mx.split(' '),
    };
  });

/** Nodemailer's providers of mailboxes, without those of the table. */
const OTHERS = Object.entries<Service>(services).flatMap(
  ([name, { host = '', port = 0, domains = [] }]): Provider[] =>
    domains.some((domain) => ROWS.every((row) => !row.domains.includes(domain))) &&
    ROWS.every((row) => row.host !== host)
      ? [{ name, host, port: Number(port), login: '', domains, mx: [] }]
      : [],
);

const PROVIDERS = [...ROWS, ...OTHERS]
  .filter(({ port }) => MAIL_PORTS.some((allowed) => allowed === port))
  .toSorted((a, b) => a.name.localeCompare(b.name));

const MX_TIMEOUT_MS = 3_000;

/** Without an address, returns all providers. */
export async function findMailProviders(
  email: string | undefined,
  dnsServers: readonly string[],
): Promise<Provider[]> {
  if (email === undefined) return PROVIDERS.filter(({ host }) => host !== 'mx');
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase();
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  if (provider) return [provider];
  const resolver = new Resolver({ timeout: MX_TIMEOUT_MS, tries: 1 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const records = await resolver.resolveMx(domain).catch(() => []);
  for (const { exchange } of records.toSorted((a, b) => a.priority - b.priority)) {
    const name = exchange.toLowerCase();
    const found = PROVIDERS.find(({ mx }) =>
      mx.some((parent) => `.${name}`.endsWith(`.${parent}`)),
    );
    if (found) return [{ ...found, host: found.host === 'mx' ? name : found.host }];
  }
  return [];
}

export function serializeProvider({ name, host, port, login }: Provider, t: Translator) {
  const notes: Readonly<Record<string, string>> = {
    app: t('{name} needs a password for apps: create one in its security settings.', { name }),
    allow: t('First allow other mail programs (POP3 and IMAP) in the settings of {name}.', {
      name,
    }),
    admin: t(
      'An administrator of Microsoft 365 has to allow “Authenticated SMTP” for this mailbox first.',
    ),
    none: t('Outlook.com no longer lets programs send with a password. Use another mailbox.'),
  };
  return { name, host, port, note: notes[login] ?? null };
}
