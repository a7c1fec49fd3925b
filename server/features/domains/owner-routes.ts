import { randomBytes } from 'node:crypto';
import { type domainCheck, type domains, ADD_DOMAIN_REFUSALS } from '#contract/owner/domains.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type DomainRow,
  clearDomainRedirect,
  deleteDomain,
  listDomains,
  updateDomain,
  findDomain,
  insertDomain,
  isDomainTaken,
} from '#db/queries/domains.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import { ownHosts } from '#server/platform/http/access/hosts.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { storeEvent } from '../events/log-event.ts';
import type { CustomDomains } from './custom-domains.ts';
import { requiredRecords, type DomainTarget } from './dns-records.ts';
import { GRACE_PERIOD_MS } from './domain-checker.ts';
import { parseDomain, isReservedDomain } from './domain-name.ts';
import { DOMAIN_PROBLEMS } from './domain-problem.ts';

const EMPTY_TARGET: DomainTarget = { host: '', addresses: [] };

export function domainRoutes({
  allowances,
  config,
  domains: customDomains,
}: Core & { domains: CustomDomains | undefined }): Handlers<typeof domains & typeof domainCheck> {
  const createResponse = (row: DomainRow, t: Translator) => {
    const target = customDomains?.checker.cachedTarget ?? EMPTY_TARGET;
    return { domain: serializeDomain(row, target, t) };
  };
  return {
    listDomains: async ({ accountId, readDb, getTranslator }) => {
      const rows = await listDomains(readDb, accountId);
      const { host, addresses } = (await customDomains?.checker.resolveTarget()) ?? EMPTY_TARGET;
      return {
        domains: rows.map((row) => serializeDomain(row, { host, addresses }, getTranslator())),
        target: host || null,
      };
    },

    createDomain: async ({ accountId, credential, db, body, refuse, getTranslator }) => {
      const domain = requireDomain(body, refuse);
      if (!customDomains) throw refuse('domainsUnavailable');
      const accountDomain = { accountId, domain, addedBy: credentialId(credential) };
      const serverHosts = [
        ...ownHosts(config),
        config.MAIL_DOMAIN,
        customDomains.checker.cachedTarget.host,
      ];
      const row = await createDomain(db, { allowances }, accountDomain, serverHosts);
      return createResponse(row, getTranslator());
    },

    updateDomain: async ({ accountId, db, body, refuse, getTranslator }) => {
      const domain = requireDomain(body, refuse);
      const { redirect } = body;
      // Without the lock, concurrent requests could set `redirect` on two domains.
      await lockAccount(db, accountId);
      if (redirect) await clearDomainRedirect(db, accountId);
      const row = await updateDomain(db, { accountId, domain }, { redirect });
      if (!row) throw refuse('domainNotFound');
      return createResponse(row, getTranslator());
    },

    deleteDomain: async ({ accountId, credential, db, body, refuse }) => {
      const domain = requireDomain(body, refuse);
      await lockAccount(db, accountId);
      if (!(await deleteDomain(db, accountId, domain))) throw refuse('domainNotFound');
      const detail = { domain, by: credentialId(credential) };
      await storeEvent(db, { allowances }, { accountId, type: 'domain_removed', detail });
      customDomains?.siteCache.invalidate(domain);
    },

    checkDomain: async ({ accountId, body, refuse, getTranslator }) => {
      const domain = requireDomain(body, refuse);
      if (!customDomains) throw refuse('domainsUnavailable');
      const row = await customDomains.checker.check({ accountId, domain });
      customDomains.siteCache.invalidate(domain);
      if (!row) throw refuse('domainNotFound');
      return createResponse(row, getTranslator());
    },
  };
}

function requireDomain(body: { domain: string }, refuse: (code: 'domainInvalid') => Error): string {
  const domain = parseDomain(body.domain);
  if (domain === undefined) throw refuse('domainInvalid');
  return domain;
}

function serializeDomain(row: DomainRow, target: DomainTarget, t: Translator) {
  const { verified_at, missing_since } = row;
  const state = !verified_at ? 'waiting' : missing_since ? 'failing' : 'verified';
  return {
    domain: row.domain,
    state: state as 'waiting' | 'verified' | 'failing',
    problem: formatStored(DOMAIN_PROBLEMS, row.problem, t),
    records: requiredRecords(row, target),
    redirect: row.redirect,
    created_at: row.created_at.toISOString(),
    checked_at: row.checked_at?.toISOString() ?? null,
    verified_at: verified_at?.toISOString() ?? null,
    stops_at: missing_since
      ? new Date(missing_since.getTime() + GRACE_PERIOD_MS).toISOString()
      : null,
  };
}

const refuseAdd = createRefuser(ADD_DOMAIN_REFUSALS);

const TOKEN_BYTES = 16;

/** Several accounts can add the same domain until one of them verifies it. */
async function createDomain(
  trx: Transaction,
  app: Pick<Core, 'allowances'>,
  { accountId, domain, addedBy }: { accountId: string; domain: string; addedBy: string },
  serverHosts: readonly string[],
): Promise<DomainRow> {
  if (isReservedDomain(domain, serverHosts)) throw refuseAdd('domainReserved');
  // Without the lock, concurrent requests could exceed the domain limit.
  await lockAccount(trx, accountId);
  const existing = await findDomain(trx, accountId, domain);
  if (existing) return existing;
  if (await isDomainTaken(trx, accountId, domain)) throw refuseAdd('domainTaken');
  if ((await listDomains(trx, accountId)).length >= LIMITS.domains)
    throw refuseAdd('domainLimitReached');
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const detail = { domain, by: addedBy };
  await storeEvent(trx, app, { accountId, type: 'domain_added', detail });
  return insertDomain(trx, accountId, { domain, token });
}
