import { expect, it } from 'vitest';
import { EMPTY_INSTANCE } from '#db/queries/instance.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { URLS_IN_TEXT } from '../support/urls-in-text.ts';
import { writeMail } from '#server/features/mails/templates.ts';

const CLUB = {
  ...EMPTY_INSTANCE,
  name: 'Skerry <Club>',
  line: 'A harbor.',
  color: '#1f5b96',
  contact: 'office@skerry.example',
  imprint_url: 'https://skerry.example/imprint',
};
const t = translatorFor('en');
const ORIGIN = 'https://names.example.org';
const LINK = 'https://names.example.org/dashboard/invitation#x';
const INVITATION = {
  kind: 'invitation' as const,
  address: 'jane@example.com',
  suggestedName: 'jane-doe',
  inviter: 'Nora',
  sentence: '<b>See you</b>',
  expiresAt: new Date('2026-12-08T09:00:00Z'),
  isReminder: false,
  sharedWith: [],
};
const writeInvitation = ({
  instanceName,
  ...invitation
}: {
  name: string | null;
  instanceName: string | null;
  forwardsMail: boolean;
}) => writeMail({ ...INVITATION, ...invitation }, { link: LINK, instanceName, t });

it('a mail has the name, color and links of the installation', () => {
  const content = writeInvitation({ name: 'Jane', instanceName: CLUB.name, forwardsMail: true });
  const { from, subject, text, html = '' } = composeMail(content, CLUB, t, ORIGIN);
  expect([from, subject]).toEqual([CLUB.name, 'Nora invites you to Skerry <Club> as @jane-doe']);
  expect(text).toContain(
    '\nA harbor.\nContact: office@skerry.example\nImprint: https://skerry.example/imprint\n',
  );
  expect(html).toContain('style="background-color:#1f5b96"');
  expect(html).toContain('Skerry &lt;Club&gt;');
  expect(html).not.toContain('<Club>');
  expect(html).toMatch(
    /<h1>Nora invites you to Skerry &lt;Club&gt; as <span class="s">@jane-doe<\/span><\/h1>/,
  );
  expect(html).toContain('@jane-doe');
  expect(html).toContain('&lt;b&gt;See you&lt;/b&gt;');
  expect(text).toContain('\n\n> <b>See you</b>\n\n');
  expect(html).toContain('>Keep @jane-doe<');
  expect(text).toContain(
    'You can also choose another name than @jane-doe. The link works until 8 December 2026.',
  );
  expect(html).toContain('href="mailto:office@skerry.example"');
  const withText = composeMail(content, { ...CLUB, imprint: 'Nora' }, t, ORIGIN);
  expect(withText.text).toContain('Imprint: https://names.example.org/imprint\n');
});

it('without an identity, a mail has the host', () => {
  const content = writeInvitation({ name: null, instanceName: null, forwardsMail: true });
  const { from, subject, text, html = '' } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect([from, subject]).toEqual([
    undefined,
    'Nora invites you to names.example.org as @jane-doe',
  ]);
  expect(text.endsWith('We never ask for a password or a key by mail.\n')).toBe(true);
  expect(html).toContain('style="background-color:#0f6a4c"');
});

it('an invitation promises a mail address only if the server forwards mail', () => {
  const [withMail, withoutMail] = [true, false].map(
    (forwardsMail) => writeInvitation({ name: null, instanceName: null, forwardsMail }).intro[1],
  );
  expect(withMail).toContain('a name, a page and a mail address of your own');
  expect(withoutMail).toContain('a name and a page of your own');
});

it.each([
  { kind: 'key', key: 'np_1' },
  { kind: 'passkey' },
  { kind: 'identity', provider: 'Acme ID' },
  { kind: 'link', by: null },
  { kind: 'suspension', reason: null, pageOnly: false, contact: null },
  { kind: 'suspension', reason: null, pageOnly: true, contact: null },
  { kind: 'resumption', pageOnly: false },
  { kind: 'resumption', pageOnly: true },
  { kind: 'deletion', contact: null },
  { kind: 'operator', memberId: '1', by: 'nora', member: 'jane-doe', isOperator: true },
  { kind: 'operator', memberId: '1', by: 'nora', member: 'jane-doe', isOperator: false },
  { kind: 'operator', memberId: '1', by: 'jane-doe', member: 'jane-doe', isOperator: false },
  { kind: 'alert', alert: { title: 'Alert', project: 'boats', text: 'Low' } },
  { kind: 'event', event: { text: 'Page changed.', url: ORIGIN } },
] as const)('the mail of $kind names the account, since several can share an address', (about) => {
  const account = { accountId: '1', address: 'family@example.com', name: 'jane-doe' };
  const notice = { ...account, language: 'en', requestedAt: '2026-11-27T08:00:00Z' } as const;
  const content = writeMail({ ...notice, ...about }, { link: ORIGIN, instanceName: null, t });
  const { subject, text, html } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect(subject + text).toContain('@jane-doe');
  expect(html).toMatch(/class="plate".*?>@jane-doe</s);
});

it('an invitation of a person without a name is from the installation', () => {
  const content = writeMail(
    { ...INVITATION, name: null, forwardsMail: true, inviter: null },
    { link: LINK, instanceName: CLUB.name, t },
  );
  expect(content.subject).toBe('Your invitation to Skerry <Club>');
});

it('a notice has a small plate and a label, and an invitation a large plate', () => {
  const account = { accountId: '1', address: 'jane@example.com', name: 'jane-doe' };
  const notice = { ...account, language: 'en', requestedAt: '2026-11-27T08:00:00Z' } as const;
  const options = { link: 'https://names.example.org', instanceName: CLUB.name, t };
  const htmlOf = (content: ReturnType<typeof writeMail>) =>
    composeMail(content, CLUB, t, ORIGIN).html ?? '';
  const event = { text: '@nora joined.', url: ORIGIN };
  const joined = htmlOf(writeMail({ ...notice, kind: 'event', event }, options));
  expect(joined).toContain('class="stage low"');
  expect(joined.match(/@nora/g)).toHaveLength(3);
  expect(htmlOf(writeMail({ ...notice, kind: 'passkey' }, options))).toContain('>Security<');
  const deletion = writeMail({ ...notice, kind: 'deletion', contact: CLUB.contact }, options);
  expect(htmlOf({ ...deletion, outro: [`Write to ${CLUB.contact}`] })).toMatch(
    /href="mailto:office@skerry\.example"><span.*href="mailto:office@skerry\.example"><span/s,
  );
  expect(
    htmlOf(writeInvitation({ name: 'Jane', instanceName: CLUB.name, forwardsMail: true })),
  ).not.toContain('class="stage low"');
});

it.each(URLS_IN_TEXT)('a mail links the URL in %j', (intro, url) => {
  const content = { to: 'a@example.com', host: 'a.example', subject: 'x', intro: [intro] };
  const { html = '' } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect(html).toContain(`<a href="${url.replaceAll('&', '&amp;')}">`);
});
