import { DISPLAY_NAME_REFUSALS, NAME_CHANGE_REFUSALS } from '#contract/account.ts';
import { RELEASE_NAME_REFUSALS } from '#contract/owner/members.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { recordNameChange } from '#db/queries/daily-usage.ts';
import {
  deleteQuarantinedName,
  findDisplayName,
  listQuarantinedNames,
  releaseDisplayName,
  deleteRedirects,
  claimNameForAccount,
} from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId, OPERATOR_ACTOR } from '#server/platform/caller.ts';
import type { Allowances } from '#server/platform/limits/allowances/allowances.ts';
import { retryAfter, retryAfterMidnight } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { logEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { parseDisplayName, sanitizeDisplayName } from './display-name.ts';
import type { NameRules } from './reserved-names.ts';

const refuse = createRefuser({
  ...NAME_CHANGE_REFUSALS,
  ...DISPLAY_NAME_REFUSALS,
  ...RELEASE_NAME_REFUSALS,
});

/** Forwarding providers usually delete an alias within this time. */
const ALIAS_DELETION_MS = 60_000;

export type NameServices = Pick<Core, 'allowances' | 'config' | 'jobs' | 'outbox'> & {
  names: NameRules;
  react: React;
};

/**
 * Others react, even if the name stays the same. With `redirect`, the old name
 * redirects to the page for `LIMITS.redirectDays`. Without it, redirects of earlier names end, too,
 * if they have not led to the new name before: they would reveal it.
 */
export async function changeDisplayName(
  trx: Transaction,
  app: NameServices,
  {
    accountId,
    credential,
    input,
    redirect = false,
    isByOperator = false,
  }: {
    accountId: string;
    credential?: Caller['credential'];
    input: string;
    redirect?: boolean | undefined;
    /** Operators are exempt from the daily limit. */
    isByOperator?: boolean;
  },
): Promise<{ from: string | null; to: string }> {
  const { config, allowances } = app;
  const name = parseDisplayName(input, app.names.isReserved);
  // A deleted account is 401. Its own quarantined name would be 409.
  await lockAccount(trx, accountId);
  const oldName = (await findDisplayName(trx, accountId)) ?? null;
  const change = { from: oldName, to: name };
  const isNew = oldName !== name;
  if (isNew && !redirect) await deleteRedirects(trx, accountId, { unlessTo: name });
  if (isNew) await claimName(trx, config, { accountId, name });
  if (isNew && !isByOperator) await enforceDailyChangeLimit(trx, accountId, allowances);
  if (isNew && oldName !== null) {
    if (await releaseDisplayName(trx, { accountId, name: oldName, redirects: redirect }))
      await enforceQuarantineLimit(trx, accountId, app);
  }
  const by = credential ? credentialId(credential) : OPERATOR_ACTOR;
  await app.react(trx, 'nameChanged', { accountId, ...change, changed: { credential, by } });
  if (isNew)
    await logEvent(trx, app, {
      accountId,
      type: 'display_name_updated',
      detail: { ...change, by },
    });
  return change;
}

async function enforceDailyChangeLimit(
  trx: Transaction,
  accountId: string,
  { nameChangesPerDay: limit }: Pick<Allowances, 'nameChangesPerDay'>,
): Promise<void> {
  if (limit > 0 && (await recordNameChange(trx, accountId, utcDay())) > limit)
    throw refuse('nameChangeLimitReached', { limit, ...retryAfterMidnight() });
}

/**
 * Limits how many former names of an account are quarantined. `Retry-After` tells when the name can
 * be changed again.
 */
async function enforceQuarantineLimit(
  trx: Transaction,
  accountId: string,
  { allowances, config }: Pick<Core, 'allowances' | 'config'>,
): Promise<void> {
  const { quarantinedNameLimit: limit } = allowances;
  if (limit === 0) return;
  const names = await listQuarantinedNames(trx, config.NAME_QUARANTINE_DAYS, accountId);
  if (names.length <= limit) return;
  const freeAt = names[names.length - limit - 1]?.free_at;
  throw refuse(
    'heldNameLimitReached',
    retryAfter(freeAt ? freeAt.getTime() - Date.now() : ALIAS_DELETION_MS),
  );
}

export async function claimName(
  trx: Transaction,
  { NAME_QUARANTINE_DAYS: quarantineDays }: Pick<Config, 'NAME_QUARANTINE_DAYS'>,
  claim: { accountId: string; name: string },
): Promise<void> {
  if (!(await claimNameForAccount(trx, { ...claim, quarantineDays })))
    throw refuse('displayNameTaken', { name: claim.name });
}

export async function endQuarantine(
  trx: Transaction,
  input: string,
): Promise<{ name: string; last_account_id: string | null }> {
  const name = sanitizeDisplayName(input);
  const quarantined = await deleteQuarantinedName(trx, name);
  if (!quarantined) throw refuse('nameNotHeldBack', { name });
  if (!quarantined.is_deleted) throw refuse('aliasLeft', { name });
  return { name, last_account_id: quarantined.last_account_id };
}
