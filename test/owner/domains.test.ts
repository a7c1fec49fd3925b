import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListDomainsResponse } from '#client/owner.ts';
import { listDueDomains } from '#db/queries/domains.ts';
import { createDnsResolver } from '#server/features/domains/dns-resolver.ts';
import { DomainChecker } from '#server/features/domains/domain-checker.ts';
import { call } from '../support/call.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { openTestApp, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const TARGET = 'domains.nameplate.example';
const dns = await startDnsServer();
afterAll(dns.close);

const { server } = useServer({
  dns: createDnsResolver([dns.address]),
  allowances: { domainsPerDay: 5 },
  PUBLIC_URL: 'https://names.example.org',
  PAGES_URL: 'https://pages.example.net',
});
const createChecker = () =>
  new DomainChecker({
    db: server.db,
    dns: createDnsResolver([dns.address]),
    targetHost: TARGET,
    jobs: server.jobs,
    allowances: { eventLimit: 0, domainsPerDay: 0 },
  });

let jane: TestAccount;
let owner: TestAccount['owner'];
let count = 0;
let domain: string;
beforeAll(() => dns.setRecords(TARGET, { A: ['192.0.2.1'], AAAA: ['2001:db8:0:0:0:0:0:1'] }));
beforeEach(async () => {
  jane = await server.createAccount();
  owner = jane.owner;
  count += 1;
  domain = `jane-${count}.example`;
});

type Domain = Awaited<ReturnType<typeof owner.domains.createDomain>>['domain'];

const findProofRecord = ({ records }: Domain) => records.find(({ type }) => type === 'TXT')!;

function setRecords(added: Domain): void {
  const proofRecord = findProofRecord(added);
  dns.setRecords(proofRecord.name, { TXT: [proofRecord.value] });
  dns.setRecords(added.domain, { A: ['192.0.2.1'] });
}

/** Moves a timestamp of the domain into the past. */
async function ageDomain(
  domainName: string,
  column: 'checked_at' | 'missing_since' | 'created_at',
  hours: number,
) {
  const date = new Date(Date.now() - hours * 3_600_000);
  await server.sql`UPDATE domains SET ${sql.ref(column)} = ${date}
    WHERE domain = ${domainName} AND ${sql.ref(column)} IS NOT NULL`;
}

/** Checks a domain, even if the last check was recent. */
async function checkDomain(account = jane): Promise<Domain> {
  await ageDomain(domain, 'checked_at', 1);
  return (await account.owner.domains.checkDomain({ domain })).domain;
}

async function verify(): Promise<Domain> {
  const { domain: added } = await owner.domains.createDomain({ domain });
  setRecords(added);
  const checked = await checkDomain();
  expect(checked.state).toBe('verified');
  return checked;
}

const eventTypes = async (account = owner) =>
  (await account.events.listEvents({})).events.map(({ type }) => type);

it('a domain waits with the DNS records to set, and is verified by its proof record', async () => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  expect(added).toMatchObject({ domain, state: 'waiting', problem: null, checked_at: null });
  expect(findProofRecord(added)).toMatchObject({ name: `_nameplate.${domain}`, found: false });
  expect(findProofRecord(added).value).toMatch(/^nameplate-domain=[\w-]{22}$/);
  expect(await checkDomain()).toMatchObject({
    state: 'waiting',
    problem: `There is no TXT record at _nameplate.${domain} yet. New records can take an hour to appear.`,
  });
  setRecords(added);
  const verified = await checkDomain();
  expect(verified).toMatchObject({ state: 'verified', problem: null, stops_at: null });
  expect(verified.records.map(({ found }) => found)).toEqual(verified.records.map(() => true));
  expect(await owner.domains.listDomains()).toEqual({ domains: [verified], target: TARGET });
  expect(await eventTypes()).toEqual(['domain_verified', 'domain_added']);
});

it('a domain serves its page as soon as its owner has checked it', async () => {
  const readStatus = async () =>
    (await server.app.inject({ url: '/', headers: { host: domain } })).statusCode;
  const { domain: added } = await owner.domains.createDomain({ domain });
  expect(await readStatus()).toBe(421);
  setRecords(added);
  await checkDomain();
  expect(await readStatus()).toBe(404);
});

it("a subdomain needs a CNAME record, a registered domain the server's addresses", async () => {
  await owner.domains.createDomain({ domain });
  await owner.domains.createDomain({ domain: `www.${domain}` });
  const { domains } = await owner.domains.listDomains();
  const addresses = domains.map(({ records }) =>
    records.flatMap(({ purpose, type, value }) => (purpose === 'address' ? [[type, value]] : [])),
  );
  expect(addresses).toEqual([
    [
      ['A', '192.0.2.1'],
      ['AAAA', '2001:db8::1'],
    ],
    [['CNAME', TARGET]],
  ]);
});

it('a check within two seconds of the previous one sends no DNS query, a later one does', async () => {
  await owner.domains.createDomain({ domain });
  await owner.domains.checkDomain({ domain });
  const queryCount = dns.queries.length;
  const { domain: again } = await owner.domains.checkDomain({ domain });
  expect(again.checked_at).not.toBeNull();
  expect(dns.queries.length).toBe(queryCount);
  await ageDomain(domain, 'checked_at', 2 / 3_600);
  await owner.domains.checkDomain({ domain });
  expect(dns.queries.length).toBeGreaterThan(queryCount);
});

it.each([
  [['203.0.113.9'], 'points to another address, not to this server.'],
  [['8.8.8.8'], 'points to 8.8.8.8, not to this server.'],
  [['192.0.2.1', '8.8.8.8'], 'also points to 8.8.8.8. Remove that record.'],
  [['10.0.0.7'], 'points to another address, not to this server.'],
  [[], 'has no address yet. Add the records above.'],
])('a verified domain with the addresses %j reports the problem', async (A, message) => {
  await verify();
  dns.setRecords(domain, A.length > 0 ? { A } : {});
  const problem = `${domain} ${message}`;
  expect(await checkDomain()).toMatchObject({ state: 'verified', problem });
});

it('a proof record with the quotes of a zone file verifies a domain', async () => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  const { name, value } = findProofRecord(added);
  dns.setRecords(domain, { A: ['192.0.2.1'] });
  for (const quoted of [`"${value}"`, ` '${value}' `, `"nameplate-domain=A"`]) {
    dns.setRecords(name, { TXT: [quoted] });
    expect((await checkDomain()).problem).toBe(
      quoted.includes(value)
        ? null
        : `The TXT record at ${name} says “${quoted}”. It must say “${value}”.`,
    );
  }
});

it('a proof record whose name got the domain twice is named', async () => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  const { name, value } = findProofRecord(added);
  dns.setRecords(`${name}.${domain}`, { TXT: [value] });
  expect((await checkDomain()).problem).toMatch(
    `The TXT record is at ${name}.${domain}: your DNS provider appends the domain itself.`,
  );
});

it.each([
  [{ A: ['104.16.1.1', '172.67.1.1'] }, /leads to the proxy of Cloudflare.*“DNS only”/],
  [{ AAAA: ['2606:4700:3030:0:0:0:6815:1'] }, /leads to the proxy of Cloudflare/],
  [{ CNAME: ['lost.example.org'] }, /leads to lost\.example\.org, which has no address\.$/],
])('a verified domain with the records %j reports the cause', async (records, problem) => {
  await verify();
  dns.setRecords(domain, records);
  expect((await checkDomain()).problem).toMatch(problem);
});

it('a name below a wildcard needs its own address record once it has the proof record', async () => {
  const wildcard = `*.${domain}`;
  dns.setRecords(wildcard, { A: ['192.0.2.1'] });
  domain = `jane.${domain}`;
  const { domain: added } = await owner.domains.createDomain({ domain });
  expect((await checkDomain()).problem).toBe(
    `There is no TXT record at _nameplate.${domain} yet. With it, the wildcard ${wildcard} no longer applies to ${domain}, so add both records.`,
  );
  const { name, value } = findProofRecord(added);
  dns.setRecords(name, { TXT: [value] });
  expect((await checkDomain()).problem).toBe(
    `${domain} has no address: with the TXT record, the wildcard ${wildcard} no longer applies to it. Add its address record, too.`,
  );
  setRecords(added);
  expect((await checkDomain()).problem).toBeNull();
});

it("a registered domain never needs a CNAME record, also before the target's addresses are known", async () => {
  const fresh = await openTestApp({ dns: createDnsResolver([dns.address]) });
  const { owner: newOwner } = await fresh.createAccount();
  const { domain: added } = await newOwner.domains.createDomain({ domain });
  expect(added.records.map(({ type }) => type)).toEqual(['TXT']);
  await fresh.nameplate.domains!.checker.checkDue();
  const { domain: again } = await newOwner.domains.createDomain({ domain });
  expect(again.records.map(({ type }) => type)).toEqual(['A', 'AAAA', 'TXT']);
});

it('a German page of this server gets problems in German', async () => {
  await verify();
  dns.setRecords(domain, { A: ['192.0.2.1', '8.8.8.8'] });
  await checkDomain();
  const path = '/owner/domains/list-domains';
  const german = { ...jane.headers, 'accept-language': 'de' };
  const read = async (headers: Record<string, string>) => {
    const { body } = await call(server.app, { path, headers: { ...german, ...headers } });
    return (body as ListDomainsResponse).domains[0]?.problem;
  };
  expect(await read({})).toBe(`${domain} also points to 8.8.8.8. Remove that record.`);
  expect(await read(SAME_ORIGIN_HEADERS)).toBe(
    `${domain} zeigt auch auf 8.8.8.8. Entferne diesen Eintrag.`,
  );
});

it("a wrong value, or another domain's value, does not verify a domain", async () => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  const { name, value } = findProofRecord(added);
  for (const wrongValue of [value.slice(0, -1), `x${value}`, value.toUpperCase()]) {
    dns.setRecords(name, { TXT: [wrongValue] });
    expect((await checkDomain()).state).toBe('waiting');
  }
  dns.setRecords(domain, { TXT: [value] });
  expect((await checkDomain()).state).toBe('waiting');
  dns.setRecords(name, { TXT: ['v=spf1 -all', value] });
  expect((await checkDomain()).state).toBe('verified');
});

it('a domain without its proof record shows for how long it stays verified, and recovers with the record', async () => {
  const added = await verify();
  dns.setRecords(findProofRecord(added).name, {});
  const failingDomain = await checkDomain();
  expect(failingDomain).toMatchObject({ state: 'failing', verified_at: added.verified_at });
  expect(failingDomain.problem).toMatch(/is missing\. Add it again/);
  const remainingMs = Date.parse(failingDomain.stops_at!) - Date.now();
  expect(remainingMs).toBeGreaterThan(71 * 3_600_000);
  setRecords(added);
  expect(await checkDomain()).toMatchObject({ state: 'verified', stops_at: null });
});

it('a domain without its proof record stops working after three days and loses its redirect', async () => {
  const added = await verify();
  await owner.domains.updateDomain({ domain, redirect: true });
  dns.setRecords(findProofRecord(added).name, {});
  await checkDomain();
  await ageDomain(domain, 'missing_since', 73);
  const lost = { state: 'waiting', redirect: false, verified_at: null };
  expect(await checkDomain()).toMatchObject(lost);
  expect((await eventTypes()).slice(0, 1)).toEqual(['domain_lost']);
});

it.each(['servfail', 'timeout'] as const)(
  'a domain without its proof record stays verified if DNS lookups fail with %s',
  async (mode) => {
    const added = await verify();
    dns.failQueries(domain, mode);
    await ageDomain(domain, 'missing_since', 1_000);
    expect(await checkDomain()).toMatchObject({
      state: 'verified',
      verified_at: added.verified_at,
      problem: `The DNS servers of ${domain} do not respond. We will check again soon.`,
    });
  },
);

it('a domain of another account cannot be added once it is verified, but can be while it is only claimed', async () => {
  const stranger = await server.createAccount();
  const { domain: claimed } = await stranger.owner.domains.createDomain({ domain });
  const { domain: ownDomain } = await owner.domains.createDomain({ domain });
  expect(findProofRecord(ownDomain).value).not.toBe(findProofRecord(claimed).value);
  setRecords(ownDomain);
  expect((await checkDomain()).state).toBe('verified');
  expect((await checkDomain(stranger)).state).toBe('waiting');
  const third = await server.createAccount();
  await expect(third.owner.domains.createDomain({ domain })).rejects.toMatchObject({
    status: 409,
    code: 'domainTaken',
  });
});

it('a domain of another account changes its owner only once the old proof record is gone', async () => {
  const stranger = await server.createAccount();
  const { domain: strangersDomain } = await stranger.owner.domains.createDomain({
    domain,
  });
  const ownDomain = await verify();
  const { name, value } = findProofRecord(strangersDomain);
  dns.setRecords(name, { TXT: [findProofRecord(ownDomain).value, value] });
  expect(await checkDomain(stranger)).toMatchObject({
    state: 'waiting',
    problem: `Another account of this server has proved that it owns ${domain}.`,
  });
  dns.setRecords(name, { TXT: [value] });
  expect((await checkDomain(stranger)).state).toBe('verified');
  const { domains } = await owner.domains.listDomains();
  expect(domains).toMatchObject([{ state: 'waiting', problem: expect.stringContaining('owns') }]);
  expect((await eventTypes())[0]).toBe('domain_lost');
});

it('a domain of another account is verified for one account if two prove it at the same time', async () => {
  const stranger = await server.createAccount();
  const { domain: theirs } = await stranger.owner.domains.createDomain({ domain });
  const { name, value } = findProofRecord((await owner.domains.createDomain({ domain })).domain);
  dns.setRecords(name, { TXT: [value, findProofRecord(theirs).value] });
  const results = await Promise.all([checkDomain(), checkDomain(stranger)]);
  expect(results.map(({ state }) => state).toSorted()).toEqual(['verified', 'waiting']);
});

const RESERVED = `names.example.org jane.names.example.org pages.example.net nameplate.example
  mail.nameplate.example ${TARGET} co.uk github.io jane.localhost printer.local
  1.0.0.127.in-addr.arpa 127.0.0.1 0x7f.1 example.123`.split(/\s+/);
const INVALID = `[::1] https://jane.example jane.example/path jane.example:8080 user@jane.example
  -jane.example jane_doe.example *.jane.example ${'a'.repeat(64)}.example
  ${'abcdefg.'.repeat(40)}example jane。example／path`.split(/\s+/);
it.each([...RESERVED, ...INVALID, '', 'jane example.com'])('%j cannot be claimed', async (text) => {
  const code = RESERVED.includes(text) ? /^domain(?:Invalid|Reserved)$/ : /^domainInvalid$/;
  await expect(owner.domains.createDomain({ domain: text })).rejects.toMatchObject({
    status: 400,
    code: expect.stringMatching(code),
  });
});

it('an internationalized domain is stored in Punycode, and any spelling finds it', async () => {
  const { domain: added } = await owner.domains.createDomain({
    domain: `Bücher-${count}.Example.`,
  });
  expect(added.domain).toMatch(/^xn--/);
  const { domain: again } = await owner.domains.createDomain({
    domain: `bücher-${count}.example`,
  });
  expect(again).toEqual(added);
});

it('an account can have five domains, also with concurrent requests', async () => {
  const subdomains = Array.from({ length: 8 }, (_, index) => `site-${index}.${domain}`);
  const requests = subdomains.map((name) => owner.domains.createDomain({ domain: name }));
  const added = await Promise.allSettled(requests);
  const refused = added.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'domainLimitReached' });
  const { domains } = await owner.domains.listDomains();
  await owner.domains.deleteDomain({ domain: domains[0]!.domain });
  await owner.domains.createDomain({ domain });
});

it('a domain that is removed and added again needs a new proof record', async () => {
  const added = await verify();
  await owner.domains.deleteDomain({ domain });
  await expect(owner.domains.deleteDomain({ domain })).rejects.toMatchObject({ status: 404 });
  const { domain: again } = await owner.domains.createDomain({ domain });
  expect(findProofRecord(again).value).not.toBe(findProofRecord(added).value);
  expect((await checkDomain()).state).toBe('waiting');
});

it('only one domain gets the redirect, also with concurrent requests', async () => {
  const other = `www.${domain}`;
  for (const name of [domain, other]) await owner.domains.createDomain({ domain: name });
  await Promise.all(
    [domain, other].map((name) => owner.domains.updateDomain({ domain: name, redirect: true })),
  );
  const listRedirectingDomains = async () =>
    (await owner.domains.listDomains()).domains.filter(({ redirect }) => redirect);
  expect(await listRedirectingDomains()).toHaveLength(1);
  const [redirecting] = await listRedirectingDomains();
  await owner.domains.updateDomain({ domain: redirecting!.domain, redirect: false });
  expect(await listRedirectingDomains()).toHaveLength(0);
});

const isDue = async () =>
  (await listDueDomains(server.db, 500)).some((due) => due.domain === domain);

it('the periodic check checks new domains soon, and verified domains every few hours', async () => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  setRecords(added);
  await createChecker().checkDue();
  const [verified] = (await owner.domains.listDomains()).domains;
  expect(verified!.state).toBe('verified');
  dns.setRecords(findProofRecord(added).name, {});
  await createChecker().checkDue();
  expect((await owner.domains.listDomains()).domains[0]).toEqual(verified);
  await ageDomain(domain, 'checked_at', 7);
  await createChecker().checkDue();
  expect((await owner.domains.listDomains()).domains[0]!.state).toBe('failing');
});

it('the periodic check continues with other domains and logs an error if a result cannot be stored', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `stored-${index}.example`);
  const [failingName = ''] = names;
  await server.sql`INSERT INTO domains (account_id, domain, token)
      SELECT ${jane.id}, name, repeat('A', 22) FROM unnest(${names}::text[]) AS name`;
  await server.sql`ALTER TABLE domains ADD CONSTRAINT is_broken
      CHECK (domain <> ${sql.lit(failingName)} OR checked_at IS NULL)`;
  await expect(createChecker().checkDue()).rejects.toThrow('is_broken');
  await server.sql`ALTER TABLE domains DROP CONSTRAINT is_broken`;
  const unchecked = await server.sql`SELECT domain FROM domains
      WHERE domain = ANY(${names}) AND checked_at IS NULL`;
  expect(unchecked).toEqual([{ domain: failingName }]);
});

it('the periodic check stops checking a domain that is not verified within a month', async () => {
  await owner.domains.createDomain({ domain });
  await ageDomain(domain, 'created_at', 31 * 24);
  expect(await isDue()).toBe(true);
  await createChecker().checkDue();
  await ageDomain(domain, 'created_at', 400 * 24);
  await ageDomain(domain, 'checked_at', 365 * 24);
  expect(await isDue()).toBe(false);
});

it.each([
  ['unverified domain a day old', {}, 20, [1, 3]],
  ['old verified domain that does not point to the server', { A: ['8.8.8.8'] }, 2, [0, 1]],
  ['old verified domain that points to the server', undefined, 2, [5, 7]],
])('the periodic check checks an %s after a while', async (title, records, age, hours) => {
  const { domain: added } = await owner.domains.createDomain({ domain });
  if (!title.startsWith('un')) setRecords(added);
  if (records) dns.setRecords(domain, records);
  await checkDomain();
  await ageDomain(domain, 'created_at', age);
  for (const [index, checkedHoursAgo] of hours.entries()) {
    await ageDomain(domain, 'checked_at', checkedHoursAgo);
    expect([checkedHoursAgo, await isDue()]).toEqual([checkedHoursAgo, index === 1]);
  }
});

describe('the limit of verified domains', () => {
  // Also those of the tests before, which are almost as many as a server allows in an hour.
  const forgetVerifications = () => server.sql`DELETE FROM events WHERE type = 'domain_verified'`;
  beforeEach(forgetVerifications);
  afterEach(forgetVerifications);

  /** Records that another account verified these domains. */
  async function verifyForOtherAccount(names: string[], minutesAgo: number): Promise<void> {
    const { id } = await server.createAccount();
    await server.sql`INSERT INTO events (account_id, type, outcome, detail, created_at)
      SELECT ${id}, 'domain_verified', 'succeeded', jsonb_build_object('domain', name),
        now() - ${minutesAgo} * interval '1 minute' FROM unnest(${names}::text[]) AS name`;
  }

  async function expectLimit(minutes: number): Promise<void> {
    setRecords((await owner.domains.createDomain({ domain })).domain);
    const error: unknown = await checkDomain().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 429, code: 'domainRateLimited' });
    const minutesLeft = ((error as { retryAt: Date }).retryAt.getTime() - Date.now()) / 60_000;
    expect([minutesLeft > minutes, minutesLeft < minutes + 2]).toEqual([true, true]);
    const { domains } = await owner.domains.listDomains();
    expect(domains.find((listedDomain) => listedDomain.domain === domain)).toMatchObject({
      state: 'waiting',
      problem: expect.stringMatching(/^The records are correct\. Too many domains/),
    });
  }

  it('the limit of verified domains is five a day per account, including removed ones', async () => {
    const baseDomain = domain;
    for (let index = 0; index < 5; index += 1) {
      domain = `site-${index}.${baseDomain}`;
      await verify();
      await owner.domains.deleteDomain({ domain });
    }
    domain = baseDomain;
    await expectLimit(24 * 60 - 1);
    await server.sql`UPDATE events SET created_at = ${new Date(Date.now() - 25 * 3_600_000)}
      WHERE account_id = ${jane.id}`;
    expect((await checkDomain()).state).toBe('verified');
  });

  it("the limit of verified domains is seven a day per registered domain, within Let's Encrypt's 50 in seven days", async () => {
    const moreSubdomains = Array.from({ length: 7 }, (_, index) => `site-${index}.${domain}`);
    await verifyForOtherAccount(moreSubdomains, 60 * 23);
    await expectLimit(59);
    domain = `other-${domain}`;
    expect((await verify()).state).toBe('verified');
  });

  it('the limit of verified domains is fifty an hour per server', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `site-${index}.example`);
    await verifyForOtherAccount(names, 61);
    await verify();
    await verifyForOtherAccount(names.slice(1), 30);
    domain = `other-${domain}`;
    await expectLimit(29);
  });

  it('the limit of verified domains keeps twenty of them for accounts that verified fewer than two in the hour', async () => {
    const names = Array.from({ length: 28 }, (_, index) => `site-${index}.example`);
    await verifyForOtherAccount(names, 30);
    const name = domain;
    for (const prefix of ['a', 'b']) {
      domain = `${prefix}-${name}`;
      expect((await verify()).state).toBe('verified');
    }
    domain = `c-${name}`;
    await expectLimit(29);
    jane = await server.createAccount();
    owner = jane.owner;
    domain = `d-${name}`;
    expect((await verify()).state).toBe('verified');
  });
});
