import type { LegalDocument } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { OptionalFeature } from '#contract/shared/optional-features.ts';
import type { Core } from '#server/core.ts';
import type { MailServerStore } from '#server/platform/mail/mail-server-store.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures } from '../define-feature.ts';

type Paragraph = string | false;
type IsOn = (feature: OptionalFeature) => boolean;

/** Drafts of the legal texts. What only the operator knows is a placeholder in brackets. */
export function writeLegalDrafts(
  {
    config,
    instanceStore,
    mailServers,
    features: { off },
  }: Pick<Core, 'config' | 'instanceStore' | 'mailServers'> & { features: AllFeatures },
  t: Translator,
): Record<LegalDocument, string> {
  const isOn: IsOn = (feature) => !off.includes(feature);
  const { contact, name, imprint, displayName: club } = instanceStore.current;
  const responsible =
    findAddress(imprint) ??
    `${name ?? t('[Name of the club]')}\n${t('[Street, postcode and town]')}\n${contact ?? t('[Email address]')}`;
  return {
    imprint: joinSections([
      ['', responsible, t('[Phone number, or delete this line]')],
      [t('Represented by'), t('[Names, such as the board or the head]')],
      [
        t('Register'),
        t('[Charity or company number, where it is registered, or delete this section]'),
      ],
      [
        t('Responsible for the content'),
        t('[Name and address, if you publish news. Or delete this section]'),
      ],
      [
        t('Pages of members'),
        isOn('reports')
          ? t(
              'Members write their pages themselves. At the end of each page is a link to report it.',
            )
          : t('Members write their pages themselves.'),
      ],
    ]),
    privacy: joinSections([
      [t('Who is responsible'), responsible],
      [t('Your account'), ...describeAccount(config, isOn, t)],
      [t('Security'), ...describeSecurity(config, t)],
      [t('Visitors'), ...(isOn('visitors') ? getVisitorCounting(config, t) : [])],
      [
        isOn('reports') ? t('Messages and reports') : t('Messages'),
        ...describeMessages(config, mailServers, isOn, t),
      ],
      [t('Logs and backups'), ...describeLogs(config, isOn, t)],
      [t('Who else receives data'), ...describeRecipients(config, mailServers, isOn, t)],
      [
        t('Your rights'),
        t(
          'You can download, correct and delete your data in the dashboard. You can also ask us for information, correction, deletion or restriction, object to the processing, and complain to a supervisory authority, such as [the data protection authority of your country].',
        ),
      ],
    ]),
    terms: joinSections([
      ['', t('These terms apply to everybody who has an account at {club}.', { club })],
      [
        t('Your account'),
        isOn('keepers')
          ? t(
              'An account is [free] and for one person, or for a group whose members keep it together: [who can join]. Keep your access to yourself.',
            )
          : t(
              'An account is [free] and for one person: [who can join]. Keep your access to yourself.',
            ),
      ],
      [
        t('Your page'),
        t(
          'You are responsible for what you put on your page. Use only texts and pictures that you may publish. Nothing that is illegal, insults others, deceives, or advertises on behalf of others.',
        ),
      ],
      [
        t('If something is wrong'),
        t(
          'We can hide a page and suspend an account that breaks these terms. We say why, and you can object.',
        ),
      ],
      [
        t('The end'),
        t('You can export your data and delete your account at any time, in Settings.'),
        t(
          'We can close this service. Then we tell you [four] weeks before, so that you can export your data.',
        ),
      ],
      [
        t('No guarantee'),
        t(
          '[Volunteers run this service without payment.] We look after it, but cannot promise that it is always available.',
        ),
      ],
    ]),
  };
}

/** The first paragraph with several lines, unless it has gaps or no number. */
function findAddress(imprint: string | null): string | undefined {
  const [paragraph = ''] = /^[^#\s].*(?:\n.*\S.*)+/m.exec(imprint ?? '') ?? [];
  return /^[^[\d]*\d[^[]*$/.exec(paragraph)?.[0];
}

function joinSections(sections: readonly (readonly [title: string, ...Paragraph[]])[]): string {
  return sections
    .filter(([, ...paragraphs]) => paragraphs.some(Boolean))
    .flatMap(([title, ...paragraphs]) => [title && `## ${title}`, ...paragraphs])
    .filter(Boolean)
    .join('\n\n');
}

function describeAccount(config: Config, isOn: IsOn, t: Translator): Paragraph[] {
  const days = config.NAME_QUARANTINE_DAYS;
  return [
    t(
      'We store your display name, your email address, what you put on your page and what your programs send, to provide the service that you signed up for (Art. 6(1)(b) GDPR). We keep them until you delete them or your account. The last {count} versions of your page stay until newer ones replace them, and unused pictures for 30 days.',
      { count: LIMITS.siteVersions },
    ),
    t(
      '[If members are children (under 16, in the UK under 13): who agrees for them (Art. 8 GDPR). Or delete this paragraph]',
    ),
    config.EMAIL_FORWARDING_PROVIDER !== 'none' &&
      t('If you turn on mail forwarding, we also store the address that it leads to.'),
    days > 0 &&
      t(
        'After a deletion, your name stays reserved for {days, plural, one {# day} other {# days}}, so that nobody else receives your mail or visitors.',
        { days },
      ),
    isOn('keepers') &&
      t(
        'If several people keep an account, each of them sees what is in it. We record who changed what.',
      ),
    isOn('groups') &&
      t(
        'We can put you into groups of members, such as a voice or a team. [Who sees them, if the list of members or a website shows them. Or delete this sentence]',
      ),
    isOn('oauth') &&
      t(
        'If you sign in to a website or an app with your account, we store which one, when, and what it may do, until you remove it.',
      ),
    isOn('invitations') &&
      t(
        'Before you have an account: an invitation contains your name and your email address. We delete it 30 days after it expires, or with the account.',
      ),
    config.REGISTRATION === 'approval' &&
      t(
        'If you ask to join, we store your address and what you wrote until the decision, at most 14 days. If the answer is no, we keep your name and the answer for 30 days.',
      ),
  ];
}

function describeSecurity(config: Config, t: Translator): Paragraph[] {
  const days = config.EVENT_DAYS;
  return [
    t(
      'We store when and with which browser you signed in, until 14 days after the last use and for at most 90 days, and when you were last here, to protect accounts against misuse (Art. 6(1)(f) GDPR). Signing in sets one necessary cookie.',
    ),
    days === 0
      ? t('We keep a list of what was changed in your account until you delete the account.')
      : t(
          'We keep a list of what was changed in your account for {days, plural, one {# day} other {# days}}.',
          { days },
        ),
    t(
      'We keep the last {count} requests that your programs made with an API key for up to seven days: when, what for and with which program, without content and IP addresses.',
      { count: LIMITS.keyRequests },
    ),
    t('What administrators do with accounts is recorded for two years.'),
  ];
}

function getVisitorCounting(config: Config, t: Translator): Paragraph[] {
  const days = config.VISITOR_DAYS;
  return [
    config.COUNTRY_HEADER === undefined
      ? t(
          'We count views, clicks, referring sites and kinds of device of public pages as daily totals. We store no IP addresses, set no cookies for visitors and cannot recognize anybody.',
        )
      : t(
          'We count views, clicks, referring sites, kinds of device and countries of public pages as daily totals. We store no IP addresses, set no cookies for visitors and cannot recognize anybody.',
        ),
    days > 0 &&
      t('We delete these totals after {days, plural, one {# day} other {# days}}.', { days }),
  ];
}

function describeMessages(
  config: Config,
  mailServers: MailServerStore,
  isOn: IsOn,
  t: Translator,
): Paragraph[] {
  const written = t(
    'If you write to the owner of a page, your name, address and message go to that person by email (Art. 6(1)(f) GDPR). We delete them as soon as the mail is sent, at the latest after a week.',
  );
  return [
    mailServers.current
      ? written
      : `[${written} ${t('Keep this paragraph if you set up mail, or delete it')}]`,
    isOn('reports') &&
      config.ABUSE_CONTACT === undefined &&
      t(
        'If you report a page, we store the reason, your text and, if you give it, your address until 90 days after we closed the report, and for at most a year. Operators also get the reason and the text by mail.',
      ),
  ];
}

function describeLogs(
  { BACKUP_DIR, LOG_REQUESTS, LOG_ADDRESSES }: Config,
  isOn: IsOn,
  t: Translator,
): Paragraph[] {
  return [
    LOG_REQUESTS !== 'none' &&
      {
        none: t(
          'Our server logs requests without IP addresses. We delete the log after [14] days.',
        ),
        network: t(
          'Our server logs requests with shortened IP addresses. We delete the log after [14] days.',
        ),
        full: t(
          'Our server logs requests with IP addresses, to find misuse (Art. 6(1)(f) GDPR). We delete the log after [14] days.',
        ),
      }[LOG_ADDRESSES],
    BACKUP_DIR === 'off' || !isOn('backups')
      ? t('[How you make backups, and how long you keep them]')
      : t('We make a backup every night and keep the last seven.'),
  ];
}

function describeRecipients(
  { EMAIL_FORWARDING_PROVIDER: provider, OIDC_ISSUER: issuer }: Config,
  { current }: MailServerStore,
  isOn: IsOn,
  t: Translator,
): Paragraph[] {
  return [
    t('Our server is at [hosting company].'),
    t('Our mails are sent by {host}.', {
      host: !current || LOOPBACK.test(current.host) ? t('[mail provider]') : current.host,
    }),
    provider !== 'none' &&
      provider !== 'postfix' &&
      t('Mail to your name is forwarded by {provider}.', { provider: PROVIDER_NAMES[provider] }),
    issuer !== undefined &&
      t('If you sign in with {host}, that service learns of it.', { host: new URL(issuer).host }),
    isOn('oauth') &&
      t(
        'If you sign in to a website with your account, it receives your name, your email address, your picture, your language and the groups that it may know. You see them before. An app receives what you allow it to read.',
      ),
    isOn('connections') &&
      t(
        'If you connect another service, such as Discord, it receives the messages that you choose.',
      ),
    t(
      'Videos, songs, posts and maps on a page load only when you open them. Then their service receives your IP address. Pictures that an owner adds by their web address load from there.',
    ),
  ];
}

const PROVIDER_NAMES = {
  improvmx: 'ImprovMX',
  'forward-email': 'Forward Email',
  cloudflare: 'Cloudflare',
};
