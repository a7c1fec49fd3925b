import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type {
  CheckInvitationsResponse,
  CreateInvitationLinkResponse,
  ListInvitationsResponse,
  CreateInvitationsResponse,
} from '#client/owner.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { call, type TestResponse } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { logIn, postFromPage, sessionHeaders } from '../support/session.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { PROGRAM_LISTS } from './member-lists.ts';

const LINK = /https:\/\/names\.example\.org\/dashboard\/invitation#([\w-]{43})/;

const { server, mailServer } = await useForwarding();
const { server: serverWithoutMail } = useServer();
let session: Record<string, string>;
let sessionWithoutMail: Record<string, string>;

async function logInAsOperator(app: TestApp): Promise<Record<string, string>> {
  const account = await createOperator(app);
  return logIn(app, account.id);
}

beforeAll(async () => {
  session = await logInAsOperator(server);
  sessionWithoutMail = await logInAsOperator(serverWithoutMail);
});

const post = (path: string, json: unknown, app: TestApp = server): Promise<TestResponse> => {
  const headers = app === serverWithoutMail ? sessionWithoutMail : session;
  return postFromPage(app, `/owner/${path}`, json, headers);
};

const send = (path: string, json: unknown, app: TestApp = server) =>
  postFromPage(app, `/owner/${path}`, json);

async function check(csv: string) {
  const { status, body, text } = await post('invitations/check-invitations', { csv });
  expect(status, text).toBe(200);
  return (body as CheckInvitationsResponse).members;
}

/** The problem of the only person in a list. */
async function findProblem(csv: string) {
  const [row] = await check(csv);
  return row?.problem && { code: row.problem.code, suggestion: row.problem.suggestion };
}

async function invite(csv: string, options: object = {}, app: TestApp = server) {
  const json = { csv, mail: app !== serverWithoutMail, ...options };
  const { status, body, text } = await post('invitations/create-invitations', json, app);
  expect(status, text).toBe(200);
  return body as CreateInvitationsResponse;
}

async function list(query = '', { app }: Pick<TestApp, 'app'> = server, headers = session) {
  const path = `/owner/invitations/list-invitations?${query}`;
  return (await call(app, { path, headers })).body as ListInvitationsResponse;
}

const waitUntilSent = (batchId: string | null, count = 1) =>
  eventually(
    () => list(`batch_id=${batchId}`),
    ({ counts }) => counts.sent === count,
  );

const findInvitation = async (email: string) =>
  (await list(`search=${encodeURIComponent(email)}`)).invitations[0]!;

const resend = (...invitation_ids: string[]) =>
  post('invitations/send-invitations', { invitation_ids });

const { mailsTo, waitForMails } = mailServer;

async function waitForToken(email: string, count = 1): Promise<string> {
  const mails = await waitForMails(count, email);
  return LINK.exec(mails.at(-1)!.source)![1]!;
}

let personCount = 0;
/** A new person's address. Its local part is also an available display name. */
const uniqueEmail = () => `person-${(personCount += 1)}@example.com`;

async function inviteByMail(columns = 'email', cells = (email: string) => email) {
  const email = uniqueEmail();
  await invite(`${columns}\n${cells(email)}\n`);
  return { email, token: await waitForToken(email) };
}

const accept = (invitation_url: string, display_name: string | null, app: TestApp = server) =>
  send('invitations/accept-invitation', { invitation_url, display_name }, app);

async function readForwarding(accepted: TestResponse) {
  const headers = sessionHeaders(accepted);
  return (await call(server.app, { path: '/owner/forwarding/get-forwarding', headers })).body;
}

it('invisible characters that reorder text are removed from a list', async () => {
  const [row] = await check('name;email\nJane \u202eeoD;\u202aperson-x@example.com\u202c\n');
  expect(row).toMatchObject({ name: 'Jane eoD', email: 'person-x@example.com', state: 'ready' });
});

const INVALID = errorText(401, 'This invitation is no longer valid. Ask for a new one.');

it.each([
  ['commas', 'name,email\nAnn Lee,ann@example.com\n'],
  ['semicolons', 'name;email\nAnn Lee;ann@example.com\n'],
  ['tabs', 'name\temail\nAnn Lee\tann@example.com\n'],
  ['a byte order mark', '\uFEFFname,email\r\nAnn Lee,ann@example.com\r\n'],
  ['quotation marks', '"name","email"\n"Ann Lee","ann@example.com"'],
  ['German titles', 'Name;E-Mail-Adresse;Wunschname\nAnn Lee;ann@example.com;\n'],
  ['another order and other columns', 'Phone,E-Mail,Name\n1,ann@example.com,Ann Lee\n'],
  ['no titles', 'Ann Lee\tann@example.com\n'],
  ['no titles and two names', 'Ann;Lee;ann@example.com\n'],
  ['empty lines', '\n\nname,email\n\n,\nAnn Lee,ann@example.com\n\n'],
  ['first and last names', 'first_name,last_name,email\nAnn,Lee,ann@example.com\n'],
  ['titles of a person', 'Vorname;Nachname;E-Mail\nAnn;Prof. Dr. med. Lee;ann@example.com\n'],
  ['a salutation', 'Frau StD Ann Lee\tann@example.com\n'],
  ['the last name first', 'name;email\nLee, Dr. Ann;ann@example.com\n'],
  ['a whole name, too', 'First name,Last name,Full name,E-Mail\nA.,L.,Ann Lee,ann@example.com\n'],
  ['spaces and line breaks', 'name,email\n" Ann\nLee ", ann@example.com \n'],
  ['vertical bars', 'Name|E-Mail\nAnn Lee|ann@example.com\n'],
  [
    'the separator as its first line',
    '\uFEFFsep=;\nName;E-Mail;Orte,a,b,c\nAnn Lee;ann@example.com;',
  ],
  [
    'separators in its titles',
    '"Nachname, Vorname";E-Mail;Ort, Land, Erde\nLee, Ann;ann@example.com;\n',
  ],
  [
    'a heading',
    'Mitgliederliste 2026, mit E-Mail;;\n;;\nName;Ort;E-Mail\nAnn Lee;Bonn;ann@example.com\n',
  ],
  [
    'a heading with an address',
    'Ask office@example.org\nas of May;2026\nName;E-Mail\nAnn Lee;ann@example.com\n',
  ],
  [
    'notes above its titles',
    'Notes:\n"Some addresses, as chosen, are missing."\n\nFirst Name,Last Name,Email Address\nAnn,Lee,ann@example.com\n',
  ],
  ['several addresses without titles', 'Ann Lee;ann@example.com;lee@example.org\n'],
  ['addresses below another title', 'Stand;;\nName;Vorname;Erreichbar\nLee;Ann;ann@example.com\n'],
  ['addresses below the title of a name', 'Name\nAnn Lee <ann@example.com>\n'],
  ...PROGRAM_LISTS,
])('a list of people can have %s', async (_what, csv) => {
  expect(await check(csv)).toMatchObject([
    {
      name: 'Ann Lee',
      email: 'ann@example.com',
      display_name: 'ann-lee',
      forward_to_email: null,
      state: 'ready',
      problem: null,
    },
  ]);
});

it('a list of people is answered with the columns that are used, and those that are not', async () => {
  const csv =
    'Vorname,Name, Phone\u0007 ,,E-Mail,Adressname\nAnn,Lee,1,,ann@example.com\nBen,,,2,b@example.com,ben\n';
  const { body } = await post('invitations/check-invitations', { csv });
  expect((body as CheckInvitationsResponse).columns).toEqual([
    { title: 'Vorname', field: 'first_name', examples: ['Ann', 'Ben'] },
    { title: 'Name', field: 'last_name', examples: ['Lee', ''] },
    { title: 'Phone', field: null, examples: ['1', ''] },
    { title: '', field: null, examples: ['', '2'] },
    { title: 'E-Mail', field: 'email', examples: ['ann@example.com', 'b@example.com'] },
    { title: 'Adressname', field: 'display_name', examples: ['', 'ben'] },
  ]);
  const pasted = 'email\nAnn Lee <ann@example.com>\n<ben@example.com>\n';
  const { members } = (await post('invitations/check-invitations', { csv: pasted })).body as {
    members: object[];
  };
  expect(members).toMatchObject([
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: null, email: 'ben@example.com' },
  ]);
  const many = `email,${'x'.repeat(200)},${'y,'.repeat(200)}\nann@example.com\n`;
  const { columns } = (await post('invitations/check-invitations', { csv: many }))
    .body as CheckInvitationsResponse;
  expect([columns.length, columns[1]?.title.length]).toEqual([100, 100]);
});

it('a list of people is read as its columns were chosen, and then never refused', async () => {
  const csv = 'Wer;Sippe;Wie\nAnn;Lee;mail: ann@example.com\nBen;Drake;call\n';
  expect(await post('invitations/check-invitations', { csv })).toMatchObject(
    errorText(
      400,
      'No column has email addresses: Wer, Sippe, Wie. Call one email, or name all of them in columns.',
    ),
  );
  const { body } = await post('invitations/check-invitations', { csv, columns: [] });
  expect(body).toMatchObject({
    columns: [{ title: 'Wer' }, { title: 'Sippe' }, { title: 'Wie', field: null }],
    members: [{ problem: { code: 'email_missing' } }, { problem: { code: 'email_missing' } }],
  });
  const [email, other] = [uniqueEmail(), uniqueEmail()];
  const swapped = `${email};Lee;Ann\n;Drake;Ben\n`;
  const columns = ['email', 'last_name', 'first_name'];
  expect(
    (await post('invitations/check-invitations', { csv: swapped, columns })).body,
  ).toMatchObject({
    members: [
      { line: 1, name: 'Ann Lee', email },
      { line: 2, name: 'Ben Drake', problem: { code: 'email_missing' } },
    ],
  });
  // A chosen column wins over a title.
  const titled = `Who,E-Mail,Private\nAnn,${other},${email}\n`;
  expect(await invite(titled, { columns: ['name', null, 'email'] })).toMatchObject({ invited: 1 });
  expect(await findInvitation(email)).toMatchObject({ name: 'Ann' });
});

it('a list of people takes no line with a person for its titles', async () => {
  for (const csv of [
    'Ann Lee;\nBen;ben@example.com\n',
    'Wer;Kontakt\nAnn Lee;per Mail\nBen;ben@example.com\n',
    'ann@example\nben@example.com;eve@example.com\n',
  ])
    expect((await check(csv)).slice(0, 2)).toMatchObject([
      { state: 'problem' },
      { email: 'ben@example.com' },
    ]);
});

it.each([
  ['Achternaam;Tussenvoegsel;Voornaam;Email\nBerg;van der;Jan', 'Jan van der Berg'],
  ['Nombre;Primer apellido;Segundo apellido;Correo\nAna;Ruiz;Gil', 'Ana Ruiz Gil'],
  ['Vorname;Nachname;Vorname;Nachname;Mail\nMia;Lee;Karl;Lee', 'Mia Lee'],
])('a list of people with the titles %j has the name %s', async (csv, name) => {
  expect(await check(`${csv};a@example.com\n`)).toMatchObject([{ name, email: 'a@example.com' }]);
});

it('a list of people loses no recipient whose address is misspelled', async () => {
  const people = 'Ann <ann@example.com>; ben at example.com; Eve <eve@example.com>';
  expect((await check(people)).map(({ email }) => email)).toEqual([
    'ann@example.com',
    'ben at example.com',
    'eve@example.com',
  ]);
});

it('a list of people keeps last names that are also salutations', async () => {
  expect(await check('Vorname;Nachname;E-Mail\nMichael;Herr;a@example.com\n')).toMatchObject([
    { name: 'Michael Herr', display_name: 'michael-herr' },
  ]);
});

it.each(['name,email\n', ''])(
  'a list that begins with %j has lines with semicolons',
  async (titles) => {
    const csv = `${titles}Ann Lee,ann@example.com\nÄnne Groß;aenne@example.com\nBen;b@x.org;c@x.org`;
    expect(await check(csv)).toMatchObject([
      { name: 'Ann Lee', email: 'ann@example.com' },
      { state: 'ready', name: 'Änne Groß', email: 'aenne@example.com' },
      { state: 'problem' },
    ]);
  },
);

it('a list of people can be the recipients of a mail', async () => {
  expect(
    await check('Lee, Ann <ann@example.com>; ben@example.com;\nEve Drake <eve@example.com>'),
  ).toMatchObject([
    { line: 1, name: 'Ann Lee', email: 'ann@example.com' },
    { line: 2, name: null, email: 'ben@example.com' },
    { line: 3, name: 'Eve Drake', email: 'eve@example.com' },
  ]);
});

it('a list without titles can have lines of both forms, and a line that cannot be read has its text', async () => {
  const [cora, dan] = ['Cora Conrad, cora@example.com', 'Dan Dietz <dan@example.com>'];
  for (const lines of [
    [cora, dan],
    [dan, cora],
  ]) {
    const people = await check(lines.join('\n'));
    expect(new Set(people.map(({ name, email }) => `${name} ${email}`))).toEqual(
      new Set(['Cora Conrad cora@example.com', 'Dan Dietz dan@example.com']),
    );
  }
  const [, broken] = await check(`${cora}\n,,Dan Dietz dan(at)example.com`);
  expect(broken).toMatchObject({ state: 'problem', name: 'Dan Dietz dan(at)example.com' });
});

it('a list of people keeps separators in quoted cells, and numbers the lines of the file', async () => {
  expect(
    await check('name,email\n"Lee, ""Ann""",a@example.com\n\nBob,b@example.com\n'),
  ).toMatchObject([
    { line: 2, name: '"Ann" Lee', display_name: 'ann-lee' },
    { line: 4, name: 'Bob' },
  ]);
});

it.each([
  ['', 400, 'The list contains no people.'],
  ['email\n', 400, 'The list contains no people.'],
  ['email\n"a@example.com\n', 400, /^The list cannot be read: line \d+ is too long, or a q/],
  // Lines that are too long.
  [`email\n${'x'.repeat(10_001)}\n`, 400, /^The list cannot be read: line 2 /],
  [`email${','.repeat(20_000)}\na@example.com\n`, 400, /^The list cannot be read: line 1 /],
  [`email\n"${'x\n'.repeat(6_000)}"\n`, 400, /^The list cannot be read: line 5002 /],
])('a list of people %.40j is refused', async (csv, status, error) => {
  expect(await post('invitations/check-invitations', { csv })).toMatchObject({
    status,
    body: { error: expect.stringMatching(error) as string },
  });
});

it('a list of people can have 10,000 people, but not more', async () => {
  const people = Array.from({ length: 10_000 }, (_, index) => `Jo Doe,jo${index}@example.com`);
  const csv = `name,email\n${people.join('\n')}\n`;
  const rows = await check(csv);
  expect(rows).toHaveLength(10_000);
  expect(
    await post('invitations/check-invitations', { csv: `${csv}Ann,a@example.com` }),
  ).toMatchObject(errorText(400, 'A list can have at most 10,000 people. Split it.'));
});

it('the check suggests a free display name for each person, from the name or the address', async () => {
  const rows = await check(
    [
      'name,email',
      'José Müller,a@example.com',
      'Jose Mueller,b@example.com',
      'Østergård Łukasz,c@example.com',
      '山田,taro.yamada@example.com',
      ',only.address@example.com',
      'Admin,d@example.com',
    ].join('\n'),
  );
  expect(rows.map(({ display_name }) => display_name)).toEqual([
    'jose-mueller',
    'jose-mueller2',
    'ostergard-lukasz',
    'taro-yamada',
    'only-address',
    null,
  ]);
  expect(rows.every(({ state }) => state === 'ready')).toBe(true);
});

it.each([
  ['name,email\nAnn,\n', 'email_missing', null],
  ['name,email\nAnn,ann (at) example.com\n', 'email_invalid', 'ann@example.com'],
  ['name,email\nAnn,ann at example.com\n', 'email_invalid', 'ann@example.com'],
  ['name,email\nAnn,ann.example.com\n', 'email_invalid', null],
  ['email\njörg@club.de\n', 'email_invalid', null],
  // These corrections would write to somebody else.
  ['email\nmax mustermann@example.com\n', 'email_invalid', null],
  ['email\nmax mustermann (at) example.com\n', 'email_invalid', null],
  ['email\nmax..mustermann@example.com\n', 'email_invalid', null],
  ['email\nmax@example.com; moritz@example.com\n', 'email_invalid', null],
  ['email\n"max@example,com"\n', 'email_invalid', null],
  ['email\nMax.M@gmial.com\n', 'email_invalid', 'Max.M@gmail.com'],
  ['email\nann@club.con\n', 'email_invalid', null],
  ['email\nann@web.d\n', 'email_invalid', null],
  ['email\nann@gmail.con\n', 'email_invalid', 'ann@gmail.com'],
  [
    'email,forward_to_email\na@example.com,b@Hotmial.com\n',
    'forward_to_email_invalid',
    'b@hotmail.com',
  ],
  ['email\nann@mail.invalid\n', 'email_not_allowed', null],
  [`name,email\n${'x'.repeat(201)},a@example.com\n`, 'name_too_long', 'x'.repeat(200)],
  ['name,email,display_name\nJosé Müller,a@example.com,José\n', 'display_name_invalid', 'jose'],
  ['name,email,display_name\nAnn Lee,a@example.com,x\n', 'display_name_invalid', 'ann-lee'],
  ['name,email,display_name\nAnn Lee,a@example.com,admin\n', 'display_name_reserved', 'ann-lee'],
  ['email,forward_to_email\na@example.com,b@example\n', 'forward_to_email_invalid', null],
  ['email,forward_to_email\na@example.com,b@home.lan\n', 'forward_to_email_not_allowed', null],
])('the check of %j finds %s', async (csv, code, suggestion) => {
  expect(await findProblem(csv)).toEqual({ code, suggestion });
});

it('the check converts international domains', async () => {
  expect(await check('email,forward_to_email\na@münchen.de,b@exämple.com\n')).toMatchObject([
    { email: 'a@xn--mnchen-3ya.de', forward_to_email: 'b@xn--exmple-cua.com', problem: null },
  ]);
});

it('the check finds repeated addresses and names, and suggests another name', async () => {
  expect(
    await check(
      'name,email,display_name\nAnn,a@example.com,Same One\nBob,b@example.com,same-one\nAnn,A@example.com,\n',
    ),
  ).toMatchObject([
    { state: 'ready', display_name: 'same-one' },
    { state: 'problem', problem: { code: 'display_name_repeated', suggestion: 'bob' } },
    { state: 'left_out', problem: { code: 'email_repeated', suggestion: null } },
  ]);
});

it('the check describes problems in the language of the browser', async () => {
  const csv = 'email\nb@example.com\nB@example.com\n';
  const headers = { ...session, 'accept-language': 'de' };
  const { body } = await postFromPage(
    server,
    '/owner/invitations/check-invitations',
    { csv },
    headers,
  );
  expect((body as CheckInvitationsResponse).members[1]?.problem?.text).toBe(
    'Zeile 2 hat dieselbe Adresse.',
  );
});

it('the check finds addresses and names of accounts and open invitations', async () => {
  const account = await server.createForwardedAccount('taken-one', 'taken@example.com');
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
      WHERE account_id = ${account.id}`;
  const email = uniqueEmail();
  await invite(`email,display_name\n${email},promised\n`);
  const csv = `email,display_name\nTaken@example.com,\n${email.toUpperCase()},\nx@example.com,taken-one\ny@example.com,promised\n`;
  expect((await check(csv)).map(({ problem }) => problem?.code)).toEqual([
    'email_has_account',
    'email_invited',
    'display_name_taken',
    'display_name_taken',
  ]);
});

it('invited people get a mail each; lines with a problem are skipped, and nobody is invited twice', async () => {
  const [first, second] = [uniqueEmail(), uniqueEmail()];
  const csv = `name,email\nAnn Lee,${first}\nBob,${second}\nEve,\n`;
  const result = await invite(csv);
  expect(result).toMatchObject({
    batch_id: expect.any(String),
    invited: 2,
    skipped: [{ line: 4, state: 'problem', problem: { code: 'email_missing' } }],
    links_csv: null,
  });
  await waitForToken(first);
  await waitForToken(second);
  expect(mailsTo(first)[0]!.source).toContain('Hello Ann Lee,');
  for (const again of await Promise.all([invite(csv), invite(csv)]))
    expect(again).toMatchObject({ invited: 0, batch_id: null });
  await waitUntilMailsSent(server.db);
  expect([...mailsTo(first), ...mailsTo(second)]).toHaveLength(2);
  expect((await waitUntilSent(result.batch_id, 2)).counts.waiting).toBe(0);
});

it('invited people get the mail of the preview, with its language, sentence and operator, also when it is sent again', async () => {
  const email = uniqueEmail();
  const mail = { days: 9, language: 'de', sentence: 'Bis bald am Hafen & bis 12.' };
  await postFromPage(
    server,
    '/owner/account/update-account-name',
    { display_name: 'nora', redirect: false },
    session,
  );
  const { body } = await post('invitations/preview-invitation', {
    ...{ name: 'Jörg', email, display_name: 'joerg-mail' },
    ...mail,
  });
  const preview = body as { subject: string; intro: string[]; button: string; outro: string[] };
  const until = new Date(Date.now() + 9 * 86_400_000).toLocaleDateString('de', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  expect(preview).toMatchObject({
    subject: expect.stringContaining('nora lädt dich als @joerg-mail zu '),
    intro: ['Hallo Jörg,', expect.stringContaining('bekommst du'), `> ${mail.sentence}\nnora`],
    outro: [expect.stringContaining(`Der Link gilt bis ${until}.`), expect.any(String)],
    button: '@joerg-mail sichern',
  });
  expect(mailsTo(email)).toEqual([]);
  const csv = `name,email,display_name\nJörg,${email},joerg-mail\n`;
  const { batch_id } = await invite(csv, mail);
  await waitForToken(email);
  const [row] = (await waitUntilSent(batch_id)).invitations;
  await resend(row!.id);
  await waitForToken(email, 2);
  for (const { source } of mailsTo(email)) {
    expect(source).toContain(mail.sentence);
    expect(source).toMatch(/\nBei .+ bekommst du/);
    expect(source).toContain(preview.button);
  }
});

it('invited people get the mail in the language of the operator', async () => {
  const setLanguage = (language: 'en' | 'de') =>
    postFromPage(server, '/owner/account/update-language', { language }, session);
  await setLanguage('de');
  const { email } = await inviteByMail();
  await setLanguage('en');
  expect(mailsTo(email)[0]!.source).toContain('Der Link gilt bis');
});

it('invited people do not count as mail to strangers, and the audit trail has numbers, not addresses', async () => {
  const email = uniqueEmail();
  const readUnconfirmedMails = () => server.sql`SELECT * FROM unconfirmed_mails`;
  const before = await readUnconfirmedMails();
  await invite(`email\n${email}\n`);
  await waitForToken(email);
  expect(await readUnconfirmedMails()).toEqual(before);
  const rows = await server.sql<{ row: string }>`
      SELECT audit_log::text AS row FROM audit_log WHERE action = 'invitations.createInvitations'`;
  expect(rows.at(-1)!.row).toContain('invitations');
  expect(JSON.stringify([rows, server.log])).not.toContain(email);
});

it('invited people get links as CSV on a server without mail, once; formulas are escaped', async () => {
  const email = uniqueEmail();
  const csv = `name,email\n"=HYPERLINK(""x"")",${email}\n`;
  const { links_csv, invited } = await invite(csv, {}, serverWithoutMail);
  expect(invited).toBe(1);
  const [header, row] = links_csv!.split('\r\n');
  expect(header).toBe('name,email,display_name,invitation_url');
  expect(row).toMatch(/^"'=HYPERLINK\(""x""\)",/);
  const token = /#([\w-]{43})/.exec(row!)![1]!;
  expect((await accept(token, null, serverWithoutMail)).status).toBe(200);
  expect(
    await post(
      'invitations/create-invitations',
      { csv: 'email\nx@example.com\n', mail: true },
      serverWithoutMail,
    ),
  ).toMatchObject(errorText(409, expect.stringContaining('sends no mail')));
});

it('invited people must confirm an address if an operator gave them their link, unless the server sends no mail', async () => {
  const email = uniqueEmail();
  const { links_csv } = await invite(`email\n${email}\n`, { mail: false });
  const token = /#([\w-]{43})/.exec(links_csv!)![1]!;
  expect(await send('invitations/get-invitation', { invitation_url: token })).toMatchObject({
    body: { email, mailed: false },
  });
  expect((await accept(token, 'by-hand')).status).toBe(409);
});

it('the mail of an invitation fails permanently if the mail server refuses it, and can be sent again', async () => {
  mailServer.refusal = { code: 550, text: 'no such user canary' };
  const email = uniqueEmail();
  const { batch_id } = await invite(`email\n${email}\n`);
  const { invitations } = await eventually(
    () => list(`batch_id=${batch_id}`),
    ({ invitations: [row] }) => row?.state === 'failed',
  );
  expect(invitations).toMatchObject([{ mail_error: 'EENVELOPE 550', mail_tries: 1 }]);
  mailServer.refusal = undefined;
  const resent = await resend(invitations[0]!.id);
  expect(resent).toMatchObject(okBody({ resent: 1, links_csv: null }));
  await waitForToken(email);
  await waitUntilSent(batch_id);
  expect(JSON.stringify(server.log)).not.toContain(email);
});

it('the mail of an invitation is not sent after the invitation was revoked', async () => {
  mailServer.refusal = { code: 451, text: 'later' };
  const email = uniqueEmail();
  await invite(`email\n${email}\n`);
  const { id: invitation_id } = await findInvitation(email);
  await post('invitations/revoke-invitation', { invitation_id });
  // The mail server still refuses mail, so only the revocation can end the job.
  await waitUntilMailsSent(server.db);
  expect(mailsTo(email)).toEqual([]);
  expect(await server.sql`SELECT FROM invitations WHERE email = ${email}`).toEqual([]);
});

it('the list of invitations finds a part of a name or address, without regard to case', async () => {
  const email = uniqueEmail();
  const { batch_id } = await invite(`name,email\nJörg Möller,${email}\nAnn,${uniqueEmail()}\n`);
  for (const search of ['möLLer', 'Mo\u0308ller', email.toUpperCase()]) {
    const query = `batch_id=${batch_id}&search=${encodeURIComponent(search)}`;
    const { invitations, counts } = await list(query);
    expect(invitations).toMatchObject([{ email }]);
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(2);
  }
  expect((await list('search=%25')).invitations).toEqual([]);
});

it('the list of invitations is sent again to all who have not answered, but not twice within an hour', async () => {
  const [old, recent] = [uniqueEmail(), uniqueEmail()];
  const { batch_id } = await invite(`email\n${old}\n${recent}\n`);
  await waitUntilSent(batch_id, 2);
  await server.sql`UPDATE invitations SET sent_at = now() - interval '61 minutes'
      WHERE email = ${old}`;
  const resendAll = () => post('invitations/send-invitations', { state: 'sent', batch_id });
  // The filter of the list does not change who gets another mail.
  for (const filter of ['', '&state=accepted'])
    expect(await list(`batch_id=${batch_id}${filter}`)).toMatchObject({ resendable: 1 });
  expect(await list(`batch_id=${batch_id}&state=failed`)).toMatchObject({ resendable: 0 });
  expect((await resendAll()).body).toEqual({ resent: 1, links_csv: null });
  await waitForToken(old, 2);
  expect(mailsTo(old)[1]?.source).toMatch(/^Subject: Reminder: /m);
  expect((await resendAll()).body).toEqual({ resent: 0, links_csv: null });
  expect(await list(`batch_id=${batch_id}`)).toMatchObject({ resendable: 0 });
  for (const selection of [
    {},
    { state: 'sent', invitation_ids: [randomUUID()] },
    { batch_id: randomUUID(), invitation_ids: [randomUUID()] },
    { group_id: randomUUID(), invitation_ids: [randomUUID()] },
  ])
    expect(await post('invitations/send-invitations', selection)).toMatchObject(
      errorText(400, 'Send either invitation_ids, or state with or without batch_id and group_id.'),
    );
});

it('correcting the address of an invitation sends a new link there, and ends the old one', async () => {
  const { email: wrong, token } = await inviteByMail('name,email', (address) => `Ann,${address}`);
  const { id: invitation_id } = await findInvitation(wrong);
  const correct = (email: string) =>
    post('invitations/update-invitation', { invitation_id, email });
  const { email: invited } = await inviteByMail();
  const { email: member, token: memberToken } = await inviteByMail();
  await accept(memberToken, null);
  const { email: expired } = await inviteByMail();
  await server.sql`UPDATE invitations SET expires_at = now() WHERE email = ${expired}`;
  for (const [email, status, error] of [
    ['ann', 400, 'email must be an email address of at most 254 characters.'],
    [
      'jürgen@münchen.de',
      400,
      'email must have only letters from a to z, digits and signs before the @.',
    ],
    ['ann@example.test', 400, 'Addresses that end in .test do not exist on the internet.'],
    [member, 409, 'There is an account with this address.'],
    [invited, 409, 'This address has another invitation.'],
  ] as const)
    expect(await correct(email)).toMatchObject({ status, body: { error } });
  expect(await correct(expired)).toMatchObject({ status: 200, body: { resent: 1 } });
  const newToken = await waitForToken(expired, 2);
  expect((await accept(token, null)).status).toBe(401);
  expect((await accept(newToken, null)).status).toBe(200);
  expect((await correct(wrong)).status).toBe(404);
});

it('accepting a mailed invitation creates the account with its address, confirmed forwarding and a session', async () => {
  const columns = 'name,email,display_name';
  const { email, token } = await inviteByMail(columns, (cell) => `Ann,${cell},One Click`);
  expect(await send('invitations/get-invitation', { invitation_url: token })).toMatchObject(
    okBody({ name: 'Ann', display_name: 'one-click', email, mailed: true, forward_to_email: null }),
  );
  // Only opening the page, as mail scanners do, changes nothing.
  await server.app.inject('/dashboard/invitation');
  const accepted = await accept(token, 'one-click');
  expect(accepted).toMatchObject({ status: 200, body: { session: { via: 'link' } } });
  expect(await readForwarding(accepted)).toMatchObject({ email, enabled: true, confirmed: true });
  await server.waitUntilSynced();
  expect((await accept(token, 'another-one')).body).toEqual(INVALID.body);
  const { account_id } = accepted.body as { account_id: string };
  const rows = await server.sql`SELECT name, email, forward_to, uses, account_id FROM invitations
      WHERE account_id = ${account_id}`;
  expect(rows).toEqual([{ name: 'Ann', email: null, forward_to: null, uses: 1, account_id }]);
});

it.each(['sign-up', 'invitation'] as const)(
  'accepting a mailed invitation and a sign-up with its address end in one account, titled with the name (%s first)',
  async (first) => {
    const { email, token } = await inviteByMail('name,email', (cell) => `"Jörg Müller ☼",${cell}`);
    const display_name = `one-account-${first}`;
    const request = { display_name, email: email.toUpperCase() };
    expect((await send('account/create-registration', request)).status).toBe(200);
    const [mail] = await eventually(
      () => mailServer.received.filter(({ source }) => source.includes('registration#')),
      ({ length }) => length > 0,
    );
    const registration_url = /registration#([\w-]{43})/.exec(mail!.source)![1]!;
    const signUp = () => send('account/create-account', { registration_url, display_name });
    const [success, failure] =
      first === 'sign-up'
        ? [await signUp(), await accept(token, 'second-one')]
        : [await accept(token, display_name), await signUp()];
    expect([success.status, failure.status]).toEqual([200, 401]);
    const { account_id } = success.body as { account_id: string };
    const rows = await server.sql`SELECT sites.display_name, invitations.uses, invitations.email
        FROM sites JOIN invitations USING (account_id)
        WHERE account_id = ${account_id}`;
    expect(rows).toEqual([{ display_name: 'Jörg Müller ☼', uses: 1, email: null }]);
  },
);

it('accepting a mailed invitation does not confirm another forwarding address: that gets a mail of its own', async () => {
  const other = uniqueEmail();
  const { email, token } = await inviteByMail(
    'email,forward_to_email',
    (cell) => `${cell},${other}`,
  );
  const accepted = await accept(token, 'forwards-elsewhere');
  expect(await readForwarding(accepted)).toMatchObject({
    // Mail never went there, so its owner gets no notice when it goes elsewhere.
    email: null,
    login_email: email,
    pending_email: other,
  });
  const [mail] = await waitForMails(1, other);
  expect(mail!.source).toContain('Confirm your email address');
  // The invited address can log in.
  expect((await send('sessions/send-login-link', { email })).status).toBe(200);
  await eventually(
    () => mailsTo(email),
    (mails) => mails.some(({ source }) => source.includes('Your login link')),
  );
});

it('an invitation that an operator handed over forwards to the address in it', async () => {
  const [email, other] = [uniqueEmail(), uniqueEmail()];
  const { links_csv } = await invite(`email,forward_to_email\n${email},${other}\n`, {
    mail: false,
  });
  const [invitation_url] = /[\w-]{43}/.exec(links_csv!)!;
  const request = { invitation_url, email, display_name: 'handed-over' };
  expect((await send('account/create-registration', request)).status).toBe(200);
  const [mail] = await waitForMails(1, email);
  const registration_url = /https:\S+registration#\S+/.exec(
    mail!.source.replaceAll('=\r\n', ''),
  )![0];
  const created = await send('account/create-account', {
    registration_url,
    display_name: 'handed-over',
  });
  expect(await readForwarding(created)).toMatchObject({ login_email: email, pending_email: other });
});

it('accepting a mailed invitation forwards to its own address if the other one is refused, which changes nothing', async () => {
  const other = uniqueEmail();
  const { email, token } = await inviteByMail('email,forward_to', (cell) => `${cell},${other}`);
  await server.sql`INSERT INTO owner_mails (kind, account_id, address_hash)
    SELECT 'confirmation', gen_random_uuid(), sha256(convert_to(${other}, 'UTF8'))
    FROM generate_series(1, 5)`;
  const accepted = await accept(token, 'refused-elsewhere');
  expect(await readForwarding(accepted)).toMatchObject({ email, enabled: true, confirmed: true });
  const { account_id } = accepted.body as { account_id: string };
  const destinations = server.sql`SELECT FROM forwarding_destinations
    WHERE account_id = ${account_id}`;
  expect(await destinations).toHaveLength(1);
  expect(mailsTo(other)).toEqual([]);
});

it('accepting a mailed invitation does not use up the invitation if the name is refused', async () => {
  await server.createForwardedAccount('occupied', 'o@example.com');
  const { token } = await inviteByMail();
  expect((await accept(token, 'occupied')).status).toBe(409);
  expect((await accept(token, 'x')).status).toBe(400);
  expect((await accept(token, 'not-occupied')).status).toBe(200);
});

it('accepting a mailed invitation fails for unknown, used, expired, revoked and replaced links', async () => {
  const lookUp = (invitation_url: string) => send('invitations/get-invitation', { invitation_url });
  for (const token of ['A'.repeat(43), 'x', '']) {
    expect(await accept(token, 'nobody-here')).toMatchObject(INVALID);
    expect(await lookUp(token)).toMatchObject(INVALID);
  }
  const used = await inviteByMail();
  expect((await accept(used.token, null)).status).toBe(200);
  expect(await lookUp(used.token)).toMatchObject(
    errorText(401, 'This invitation was already used. Sign in, or ask for a new one.'),
  );
  const expired = await inviteByMail();
  await server.sql`UPDATE invitations SET expires_at = now() WHERE email = ${expired.email}`;
  expect(await accept(expired.token, 'too-late')).toMatchObject(INVALID);
  expect(await lookUp(expired.token)).toMatchObject(
    errorText(401, 'This invitation has expired. Ask for a new one.'),
  );
  const [found] = (await list(`state=expired&search=${expired.email}`)).invitations;
  await resend(found!.id);
  const token = await waitForToken(expired.email, 2);
  expect(await accept(expired.token, 'old-link')).toMatchObject(INVALID);
  expect((await accept(token, 'new-link')).status).toBe(200);
  const revoked = await inviteByMail();
  const { id: invitation_id } = await findInvitation(revoked.email);
  expect((await post('invitations/revoke-invitation', { invitation_id })).status).toBe(200);
  expect(await accept(revoked.token, 'revoked-one')).toMatchObject(INVALID);
});

it('an invitation is deleted 30 days after it expired', async () => {
  const { email } = await inviteByMail();
  for (const [days, count] of [
    [29, 1],
    [31, 0],
  ]) {
    await server.sql`UPDATE invitations SET expires_at = now() - ${days} * interval '1 day'
      WHERE email = ${email}`;
    await deleteExpired(server.db, 'invitations');
    expect(await server.sql`SELECT FROM invitations WHERE email = ${email}`).toHaveLength(count!);
  }
});

it('a link for a group works for exactly as many people as it says, also at the same time, and leaves no token', async () => {
  const app = serverWithoutMail;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const json = { max_uses: 3, expires_at, note: 'Regatta' };
  const { body } = await post('invitations/create-invitation-link', json, app);
  const { invitation, invitation_url } = body as CreateInvitationLinkResponse;
  const { id: invitation_id } = invitation;
  expect(invitation).toMatchObject({ ...json, uses: 0, state: 'open' });
  const token = invitation_url!.split('/dashboard/invitation#')[1]!;
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => accept(token, `Sailor ${index}`, app)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
  const { invitations } = await list('state=accepted', app, sessionWithoutMail);
  expect(invitations[0]).toMatchObject({ id: invitation_id, uses: 3 });
  expect((await post('invitations/revoke-invitation', { invitation_id }, app)).status).toBe(404);
  expect(JSON.stringify([await app.sql`SELECT * FROM audit_log`, app.log])).not.toContain(token);
});

it('a link for a group creates an account with the name and the page language, and without a key', async () => {
  const { invitation_url } = await createInvitationLink(server.db, '', { days: 7 });
  const app = await openTestApp({}, server.database);
  const accepted = await postFromPage(
    app,
    '/owner/invitations/accept-invitation',
    { invitation_url, display_name: 'Jane Doe' },
    { 'accept-language': 'de-AT,de;q=0.9' },
  );
  const read = async (path: string) => {
    return (await call(app.app, { path, headers: sessionHeaders(accepted) })).body;
  };
  expect(await read('/account/get-display-name')).toEqual({ display_name: 'jane-doe' });
  expect(await read('/owner/keys/list-keys')).toEqual({ keys: [] });
  expect(await read('/site/get-site-configuration')).toMatchObject({
    site: { theme_id: null },
    blocks: [{ type: 'page', lang: 'de' }],
  });
});

it('a link for a group is refused, but not used up, while registration is closed', async () => {
  const { database } = serverWithoutMail;
  const closed = await openTestApp({ REGISTRATION: 'closed' }, database);
  const { invitation_url } = await createInvitationLink(database.db, '', { days: 7 });
  const token = invitation_url.split('#')[1]!;
  const refused = errorText(403, 'Registration is closed on this server.');
  expect(await accept(token, null, closed)).toMatchObject(refused);
  const path = '/owner/invitations/create-invitation-link';
  expect(await postFromPage(closed, path, {}, sessionWithoutMail)).toMatchObject(refused);
  expect((await accept(token, null, serverWithoutMail)).status).toBe(200);
});

it('a link for a group mails at most five links a day for each use', async () => {
  const { invitation_url } = await createInvitationLink(server.db, '', { days: 1, maxUses: 2 });
  const statuses = [];
  for (let count = 0; count < 11; count += 1) {
    const email = uniqueEmail();
    const json = { invitation_url, email, display_name: `group-${count}` };
    const { status } = await send('account/create-registration', json);
    statuses.push(status);
    // The server counts a mail after it has responded.
    if (status === 200) await waitForMails(1, email);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
});

it.each([
  ['2020-01-01T00:00:00Z', /within the next 365 days/],
  ['2999-01-01T00:00:00Z', /within the next 365 days/],
  ['Sunday', /must be a time such as/],
])('a link for a group cannot end at %s', async (expires_at, error) => {
  expect(await post('invitations/create-invitation-link', { expires_at })).toMatchObject(
    errorText(400, expect.stringMatching(error)),
  );
});
