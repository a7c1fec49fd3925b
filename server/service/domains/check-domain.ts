import type { Kysely, Transaction } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/durations.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import {
  type DomainChange,
  type DomainRow,
  findDomain,
  lockDomain,
  releaseDomain,
  takeDueDomains,
  updateDomain,
} from '../../../db/queries/domains.ts';
import type { Database } from '../../../db/schema.ts';
import { isAlreadyThere } from '../../../db/sql-state.ts';
import { FairQueue } from '../../load/fair-queue.ts';
import { logEvent } from '../events/log-event.ts';
import type { Dns } from './dns.ts';
import { type Findings, lostWords, problemIn } from './problems.ts';
import { proofName, type Target, tokensIn } from './records.ts';

/** Time for which a page stays at a domain whose proof is gone, in milliseconds. */
export const GRACE_MS = 3 * DAY_MS;
/** Time within which a check is not repeated, in milliseconds. */
const RECENT_MS = 10_000;
/** Time for which the addresses of the target are known, in milliseconds. */
const TARGET_MS = 5 * MINUTE_MS;
/** Time between checks of a domain that was verified once, in milliseconds. */
const VERIFIED_MS = 6 * HOUR_MS;
/** Age of a claim without proof from which on nobody looks for that, unless its owner asks, in milliseconds. */
const ABANDONED_MS = 30 * DAY_MS;
/** Domains that are taken at a time, and batches in one run. */
const BATCH = 20;
const BATCHES = 25;

interface CheckerOptions {
  db: Kysely<Database>;
  dns: Dns;
  /** The host that domains lead to. */
  target: string;
  /** Number of events that are kept of an account. */
  eventLimit: number;
  /** Called with a domain that became verified, or is no longer. */
  onChange?: (domain: string) => void;
}

interface Claim {
  accountId: string;
  domain: string;
}

/** Checks the DNS of domains and stores what that means. */
export class DomainChecker {
  readonly #options: CheckerOptions;
  readonly #queue = new FairQueue({ gate: 'domains', slots: 4, waiting: 40, patienceMs: 15_000 });
  #target: { addresses: string[]; until: number } | undefined;

  constructor(options: CheckerOptions) {
    this.#options = options;
  }

  /** The host that domains lead to with its addresses; none while DNS does not answer. */
  async target(): Promise<Target> {
    const { dns, target: host } = this.#options;
    if (!this.#target || this.#target.until < Date.now()) {
      const addresses = await dns.findAddresses(host);
      // Addresses that were known once are better than none.
      const known = addresses ?? this.#target?.addresses ?? [];
      this.#target = { addresses: known, until: Date.now() + (addresses ? TARGET_MS : RECENT_MS) };
    }
    return { host, addresses: this.#target.addresses };
  }

  /** The target as far as it is known at once. */
  get knownTarget(): Target {
    return { host: this.#options.target, addresses: this.#target?.addresses ?? [] };
  }

  /** Checks a domain of an account now, unless that was done a moment ago; undefined if it has no such domain. */
  async check(claim: Claim): Promise<DomainRow | undefined> {
    const { accountId, domain } = claim;
    return this.#queue.run(accountId, async () => {
      const known = await findDomain(this.#options.db, accountId, domain);
      if (!known) return undefined;
      const isRecent = Date.now() - (known.checked_at?.getTime() ?? 0) < RECENT_MS;
      return isRecent ? known : this.#checkNow(claim);
    });
  }

  /** Checks the domains that are due, so many at most that it ends; `isOver` breaks it off. */
  async checkDue(isOver: () => boolean = () => false): Promise<void> {
    for (let batch = 0; batch < BATCHES && !isOver(); batch += 1) {
      const due = await takeDueDomains(this.#options.db, BATCH);
      const checks = await Promise.allSettled(
        due.map((claim) => this.#queue.run(`due ${claim.domain}`, () => this.#checkNow(claim))),
      );
      const failed = checks.find((check) => check.status === 'rejected');
      if (failed) throw failed.reason;
      if (due.length < BATCH) return;
    }
  }

  async #checkNow(claim: Claim): Promise<DomainRow | undefined> {
    const { db, dns } = this.#options;
    const { domain } = claim;
    const [texts, addresses, target] = await Promise.all([
      dns.findTexts(proofName(domain)),
      dns.findAddresses(domain),
      this.target(),
    ]);
    const findings: Findings = { tokens: texts && tokensIn(texts), addresses, target };
    const store = () => inTransaction(db, (trx) => this.#store(trx, claim, findings));
    // Another account may have proved the domain at the same moment, and is seen the second time.
    return store().catch((error: unknown) => {
      if (isAlreadyThere(error)) return store();
      throw error;
    });
  }

  async #store(
    trx: Transaction<Database>,
    claim: Claim,
    findings: Findings,
  ): Promise<DomainRow | undefined> {
    const { tokens = [] } = findings;
    const row = await lockDomain(trx, claim.accountId, claim.domain);
    if (!row) return undefined;
    const isProved = tokens.includes(row.token);
    const { holder, loser } =
      isProved && !row.verified_at
        ? await releaseDomain(trx, claim, { tokens, problem: lostWords(row.domain) })
        : {};
    if (loser) await this.#log(trx, loser, 'domain_lost', row.domain);
    const change = afterCheck(row, { ...findings, isTaken: holder !== undefined }, new Date());
    const isVerified = 'verified_at' in change ? change.verified_at !== null : !!row.verified_at;
    if (isVerified !== !!row.verified_at)
      await this.#log(
        trx,
        claim.accountId,
        isVerified ? 'domain_verified' : 'domain_lost',
        row.domain,
      );
    return updateDomain(trx, claim, change);
  }

  async #log(
    trx: Transaction<Database>,
    accountId: string,
    type: 'domain_verified' | 'domain_lost',
    domain: string,
  ): Promise<void> {
    await logEvent(trx, { accountId, type, detail: { domain } }, this.#options.eventLimit);
    this.#options.onChange?.(domain);
  }
}

/** Changes of a domain that follow from a check. */
function afterCheck(
  row: DomainRow,
  findings: Findings & { isTaken: boolean },
  now: Date,
): DomainChange {
  const { tokens, addresses, target, isTaken } = findings;
  const isProved = tokens?.includes(row.token) && !isTaken;
  const isGone = tokens !== undefined && !isProved;
  const missing_since = isGone && row.verified_at ? (row.missing_since ?? now) : null;
  const isOver = missing_since !== null && now.getTime() - missing_since.getTime() >= GRACE_MS;
  const isKnown = addresses !== undefined && target.addresses.length > 0;
  const change: DomainChange = {
    checked_at: now,
    check_at: nextCheck(row, isProved ?? false, now),
    problem: problemIn(findings, { ...row, isVerified: row.verified_at !== null, isOver }),
    ...(isKnown && {
      leads_here: addresses.length > 0 && addresses.every((one) => target.addresses.includes(one)),
    }),
  };
  // Without a definite answer everything stays as it is.
  if (tokens === undefined) return change;
  if (isProved) return { ...change, verified_at: row.verified_at ?? now, missing_since: null };
  if (isOver) return { ...change, verified_at: null, missing_since: null, redirect: false };
  return { ...change, missing_since };
}

/** A new claim is looked at every minute, an older one less often: its owner may have given up. */
function nextCheck({ created_at, verified_at }: DomainRow, isProved: boolean, now: Date): Date {
  const age = now.getTime() - created_at.getTime();
  if (verified_at || isProved) return new Date(now.getTime() + VERIFIED_MS);
  const wait = age > ABANDONED_MS ? 10_000 * DAY_MS : Math.min(VERIFIED_MS, age / 10);
  return new Date(now.getTime() + Math.max(MINUTE_MS, wait));
}
