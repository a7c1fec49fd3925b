import { expect, it } from 'vitest';
import { EMPTY_INSTANCE } from '#db/queries/instance.ts';
import { deletionMail } from '#server/features/accounts/deletion-mail.ts';
import { resumptionMail, suspensionMail } from '#server/features/accounts/suspension-mail.ts';
import { alertMail, eventMail } from '#server/features/connections/connection-mails.ts';
import { invitationMail } from '#server/features/invitations/invitation-mail.ts';
import { keyMail } from '#server/features/keys/key-mail.ts';
import { loginLinkMail } from '#server/features/members/login-link-mail.ts';
import { operatorMail } from '#server/features/members/operator-mail.ts';
import { passkeyMail } from '#server/features/passkeys/passkey-mail.ts';
import { identityMail } from '#server/features/sign-on/identity-mail.ts';
import { leaverMail } from '#server/features/sign-on/leaver.ts';
import { composeMail } from '#server/platform/mail/compose-mail.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { URLS_IN_TEXT } from '../support/urls-in-text.ts';

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
const NOTICE = {
  accountId: '1',
  address: 'family@example.com',
  name: 'jane-doe',
  language: 'en',
  requestedAt: '2026-11-27T08:00:00Z',
} as const;
const INVITATION = {
  address: 'jane@example.com',
  suggestedName: 'jane-doe',
  inviter: 'Nora',
  sentence: '<b>See you</b>',
  expires_at: new Date('2026-12-08T09:00:00Z'),
  is_reminder: false,
  link: LINK,
  sharedWith: [],
  directory: [],
};
const writeInvitation = (
  invitation: { name: string | null; forwardsMail: boolean; inviter?: null },
  instance = EMPTY_INSTANCE,
) =>
  writeMail(invitationMail, { ...INVITATION, ...invitation }, { publicUrl: ORIGIN, instance, t });

it('a mail has the name, color and links of the installation', () => {
  const content = writeInvitation({ name: 'Jane', forwardsMail: true }, CLUB);
  const { from, subject, text, html = '' } = composeMail(content, CLUB, t, ORIGIN);
  expect([from, subject]).toEqual([CLUB.name, 'Nora invites you to Skerry <Club> as @jane-doe']);
  expect(text).toContain(
    '\nA harbor.\nContact: office@skerry.example\nImprint: https://skerry.example/imprint\n',
  );
  expect(html).toContain('style="background-color:#1f5b96"');
  expect(html).toContain('Skerry &lt;Club&gt;');
  expect(html).not.toContain('<Club>');
  expect(html).toMatch(
    /<h1>Nora invites you to Skerry &lt;Club&gt; as <span class="unbroken">@jane-doe<\/span><\/h1>/,
  );
  expect(html).toContain('@jane-doe');
  expect(html).toContain('&lt;b&gt;See you&lt;/b&gt;<br />Nora');
  expect(text).toContain('\n\n> <b>See you</b>\n> Nora\n\n');
  expect(html).toContain('>Claim @jane-doe<');
  expect(text).toContain(
    'You can also choose another name than @jane-doe. The link works until 8 December 2026.',
  );
  expect(html).toContain('href="mailto:office@skerry.example"');
  const withText = composeMail(content, { ...CLUB, imprint: 'Nora' }, t, ORIGIN);
  expect(withText.text).toContain('Imprint: https://names.example.org/imprint\n');
});

it('Outlook for Windows gets widths, and paddings of table cells, where others have what Word ignores', () => {
  const mail = { to: 'a@example.com', host: 'a.example', subject: 'x', intro: [] };
  const { html = '' } = composeMail(mail, EMPTY_INSTANCE, t, ORIGIN);
  const [, css = ''] = /<style>([^]*?)<\/style>/.exec(html)!;
  const [, word = ''] = /<!--\[if mso\]><style>([^]*?)<\/style><!\[endif\]-->/.exec(html)!;
  const rules = (text: string, property: string) =>
    [...text.matchAll(/^([^{}@]+)\{([^}]*)\}/gm)].flatMap(([, selector, body]) => {
      const value = new RegExp(`(?:^|;)${property}:([^;]+)`).exec(body!)?.[1];
      return value === undefined ? [] : [[selector!, value]];
    });
  const padded = rules(css, 'padding').filter(([selector]) => /(?:^|[ ,])a$/.test(selector!));
  expect(padded).toHaveLength(2);
  expect(rules(word, 'padding')).toEqual(
    expect.arrayContaining(
      padded.map(([selector, value]) => [selector!.replace(/ a$/, ''), value]),
    ),
  );
  expect(rules(word, 'width')).toEqual(expect.arrayContaining(rules(css, 'max-width')));
});

it('a long address breaks before the @ only, and in a paragraph only if it needs a line', () => {
  const subject = 'You no longer get the mail to new-board-17@nameplate.example';
  const intro = ['The account berta@kammerchor-lindenau.de is yours.'];
  const mail = { to: 'jane@example.com', host: 'names.example.org', subject, intro };
  const { html } = composeMail(mail, EMPTY_INSTANCE, t, ORIGIN);
  expect(html).toContain(
    '<span class="unbroken">new-board-17</span><wbr /><span class="unbroken">@nameplate.example</span>',
  );
  expect(html).toContain('<span class="unbroken">berta@kammerchor-lindenau.de</span>');
});

it('a host that is no link stays in one line of the title', () => {
  const alert = { title: 'Alert', project: 'Shop', text: 'Sum of evil.test is above 1. It is 3.' };
  const options = { publicUrl: ORIGIN, instance: EMPTY_INSTANCE, t };
  const content = writeMail(alertMail, { ...NOTICE, alert }, options);
  expect(composeMail(content, EMPTY_INSTANCE, t, ORIGIN).html).toContain(
    '<h1>Sum of <span class="unbroken">evil<span>.</span>test</span> is above 1</h1>',
  );
});

it('links of a list have lines between them only, and a text link hides its URL', () => {
  const choice = { title: '@nora', label: 'Sign in', link: LINK };
  const mail = { to: 'a@example.com', host: 'a.example', subject: 'x', intro: [] };
  const textLink = { label: 'Withdraw the application', link: LINK };
  const content = { ...mail, choices: [choice, choice], textLink };
  const { html = '', text } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect(html.match(/class="choice( ruled)?"/g)).toEqual([
    'class="choice"',
    'class="choice ruled"',
  ]);
  expect(html).toContain(`<a href="${LINK}">Withdraw the application</a>`);
  expect(text).toContain(`\n\nWithdraw the application: ${LINK}\n\n`);
});

it('without an identity, a mail has the host', () => {
  const content = writeInvitation({ name: null, forwardsMail: true });
  const { from, subject, text, html = '' } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect([from, subject]).toEqual([
    'names.example.org',
    'Nora invites you to names.example.org as @jane-doe',
  ]);
  expect(text.endsWith('We never ask for a password or a key by mail.\n')).toBe(true);
  expect(html).toContain('style="background-color:#0f6a4c"');
});

it('an invitation promises a mail address only if the server forwards mail', () => {
  const [withMail, withoutMail] = [true, false].map(
    (forwardsMail) => writeInvitation({ name: null, forwardsMail }).intro[1],
  );
  expect(withMail).toContain('a name, a page and a mail address of your own');
  expect(withoutMail).toContain('a name and a page of your own');
});

it.each([
  [keyMail, { key: 'np_1' }],
  [passkeyMail, {}],
  [identityMail, { provider: 'Acme ID' }],
  [loginLinkMail, { by: null }],
  [suspensionMail, { reason: null, pageOnly: false }],
  [suspensionMail, { reason: null, pageOnly: true }],
  [resumptionMail, { pageOnly: false }],
  [resumptionMail, { pageOnly: true }],
  [deletionMail, {}],
  [operatorMail, { memberId: '1', by: 'nora', member: 'jane-doe', isOperator: true }],
  [operatorMail, { memberId: '1', by: 'nora', member: 'jane-doe', isOperator: false }],
  [operatorMail, { memberId: '1', by: 'jane-doe', member: 'jane-doe', isOperator: false }],
  [
    operatorMail,
    { memberId: '1', by: null, provider: 'Acme ID', member: 'jane-doe', isOperator: true },
  ],
  [
    leaverMail,
    { member: 'jane-doe', memberId: '1', provider: 'Acme ID', isSuspended: true, count: 1 },
  ],
  [
    leaverMail,
    { member: 'jane-doe', memberId: '1', provider: 'Acme ID', isSuspended: false, count: 1 },
  ],
  [alertMail, { alert: { title: 'Alert', project: 'boats', text: 'Low' } }],
  [eventMail, { event: { text: 'Page changed.', url: ORIGIN } }],
] as const)('the mail of $0.kind names the account, as several share an address', (mail, about) => {
  const options = { publicUrl: ORIGIN, instance: EMPTY_INSTANCE, t };
  const content = writeMail<any>(mail, { ...NOTICE, ...about }, options);
  const { subject, text, html } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect(subject + text).toContain('@jane-doe');
  expect(html).toMatch(/class="plate".*?>@jane-doe</s);
});

it('an invitation of a person without a name is from the installation', () => {
  const content = writeInvitation({ name: null, forwardsMail: true, inviter: null }, CLUB);
  expect(content.subject).toBe('Your invitation to Skerry <Club>');
});

it('a notice has a small plate and a label, and an invitation a large plate', () => {
  const options = { publicUrl: ORIGIN, instance: CLUB, t };
  const htmlOf = (content: ReturnType<typeof writeMail>) =>
    composeMail(content, CLUB, t, ORIGIN).html ?? '';
  const event = { text: '@nora joined.', url: ORIGIN };
  const joined = htmlOf(writeMail(eventMail, { ...NOTICE, event }, options));
  expect(joined).toContain('class="stage low"');
  expect(joined.match(/@nora/g)).toHaveLength(3);
  expect(htmlOf(writeMail(passkeyMail, NOTICE, options))).toContain('>Security<');
  const deletion = writeMail(deletionMail, NOTICE, options);
  expect(htmlOf({ ...deletion, outro: [`Write to ${CLUB.contact}`] })).toMatch(
    /href="mailto:office@skerry\.example"><span.*href="mailto:office@skerry\.example"><span/s,
  );
  expect(htmlOf(writeInvitation({ name: 'Jane', forwardsMail: true }, CLUB))).not.toContain(
    'class="stage low"',
  );
});

it('the subject of an event is its first sentence, whole, in every language', () => {
  const week = 'Deine Woche, 23.–29. November: 120 Aufrufe, 45 Klicks, 3 Nachrichten';
  const text = `${week}. Am häufigsten angeklickt: ${'shop.example/'.repeat(9)} (9).`;
  const mail = { ...NOTICE, event: { text, url: ORIGIN } };
  const { subject } = writeMail(eventMail, mail, { publicUrl: ORIGIN, instance: CLUB, t });
  expect(subject).toBe(week);
});

it.each(URLS_IN_TEXT)('a mail links the URL in %j', (intro, url) => {
  const content = { to: 'a@example.com', host: 'a.example', subject: 'x', intro: [intro] };
  const { html = '' } = composeMail(content, EMPTY_INSTANCE, t, ORIGIN);
  expect(html).toContain(`<a href="${url.replaceAll('&', '&amp;')}">`);
});
