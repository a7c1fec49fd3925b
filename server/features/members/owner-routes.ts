import { Readable } from 'node:stream';
import { MEMBER_REFUSALS, type MemberFilter, type members } from '#contract/owner/members.ts';
import { utcDay } from '#contract/shared/durations.ts';
import { EVENT_TYPES } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { USAGE_KINDS } from '#contract/shared/usage-kinds.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { findAndLockAccount, findSuspension, updateAccountSettings } from '#db/queries/accounts.ts';
import { isWaitingAccount } from '#db/queries/applications.ts';
import { findDisplayName, listQuarantinedNames } from '#db/queries/display-names.ts';
import { findGroup } from '#db/queries/groups.ts';
import { listKeepers } from '#db/queries/keepers.ts';
import {
  countMembers,
  findMember,
  listMemberContacts,
  listMembers,
  type Member,
  type MemberSelection,
} from '#db/queries/members.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findPageSuspensionReason } from '#db/queries/public-sites.ts';
import { hasRow } from '#db/queries/rows.ts';
import { findUsage, type UsageRow } from '#db/queries/usage.ts';
import type { Core } from '#server/core.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { runAuditedByOperator } from '#server/platform/http/contract/audited-runner.ts';
import {
  type Audit,
  type Handlers,
  WithHeaders,
} from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import {
  type Allowances,
  ALLOWANCE_BY_USAGE,
  effectivePictureLimit,
} from '#server/platform/limits/allowances/allowances.ts';
import { paginate } from '#server/platform/paginate.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { createAccountExporter } from '../accounts/account-exporter.ts';
import { createAccount, insertNamedAccount } from '../accounts/create-account.ts';
import { closeAccount, enqueueAccountDeletion } from '../accounts/delete-account.ts';
import { resumeAccount, suspendAccount, suspendPage } from '../accounts/suspend-account.ts';
import type { AllFeatures } from '../define-feature.ts';
import { changeForwarding } from '../forwarding/change-forwarding.ts';
import type { ForwardingService } from '../forwarding/forwarding.ts';
import { nameKeepers } from '../keepers/change-keepers.ts';
import {
  changeDisplayName,
  endQuarantine,
  type NameServices,
} from '../names/change-display-name.ts';
import { toDisplayName } from '../names/display-name.ts';
import { createLoginLink, VALID_FOR_AN_HOUR } from '../sessions/login-link.ts';
import { changeOperator } from './change-operator.ts';
import { formatMembers } from './export-members.ts';
import { loginLinkMail } from './login-link-mail.ts';

type MemberServices = Core &
  NameServices & { features: AllFeatures; forwarding: ForwardingService };

const FILE_TYPES = { csv: 'text/csv; charset=utf-8', vcf: 'text/vcard; charset=utf-8' };

const refuseMember = createRefuser(MEMBER_REFUSALS);

export function memberRoutes(app: MemberServices): Handlers<typeof members> {
  const { allowances, config } = app;
  const { NAME_QUARANTINE_DAYS: quarantineDays } = config;
  return {
    listMembers: async ({ readDb, query: { count, limit, after, ...query }, refuse }) => {
      if (after !== undefined && !(await hasRow(readDb, 'accounts', after)))
        throw refuse('cursorInvalid');
      const selection = toSelection(query);
      const [rows, total] = await Promise.all([
        listMembers(readDb, { limit: limit + 1, after, ...selection }),
        count ? countMembers(readDb, selection) : null,
      ]);
      const { entries, next } = paginate(rows, limit, serializeMember);
      return { members: entries, total, next };
    },

    getMember: async ({ readDb, query: { account_id: accountId }, refuse }) => {
      const [account, usage, quarantinedNames, keepers] = await Promise.all([
        findMember(readDb, accountId),
        findUsage(readDb, { accountId, day: utcDay(), quarantineDays }),
        listQuarantinedNames(readDb, quarantineDays, accountId),
        listKeepers(readDb, accountId),
      ]);
      if (!account || !usage) throw refuse('accountNotFound');
      return {
        member: serializeMember(account),
        usage: serializeUsage(usage, {
          ...allowances,
          pictureByteLimit: effectivePictureLimit(
            allowances.pictureByteLimit,
            account.picture_limit_mb,
          ),
        }),
        held_names: quarantinedNames.map(({ name, free_at }) => ({
          display_name: name,
          free_at: free_at?.toISOString() ?? null,
        })),
        keepers: keepers
          .filter(({ account_id }) => account_id !== account.id)
          .map(({ account_id, display_name, page_title, avatar_url, owner }) => ({
            ...{ account_id, display_name, page_title, avatar_url, owner },
          })),
      };
    },

    ...exportRoutes(app),
    ...accountRoutes(app),
    ...settingRoutes(app),
  };
}

function exportRoutes(app: MemberServices) {
  const exportAccountFiles = createAccountExporter(app);
  const { queues } = app;
  return {
    exportMember: async ({ query: { account_id: targetId }, ...context }) => {
      const { accountId: operatorId } = context;
      const db = queues.writes.databaseFor(operatorId);
      await runAuditedByOperator(db, context, (trx, audit) =>
        lockAndAuditMember({ db: trx, audit }, targetId),
      );
      return exportAccountFiles(targetId.toLowerCase(), EVENT_TYPES, operatorId);
    },

    exportMembers: async ({ query: { format, separator, ...query }, ...context }) => {
      const selection = toSelection(query);
      const { accountId } = context;
      const members = await listMemberContacts(queues.slowReads.databaseFor(accountId), selection);
      await runAuditedByOperator(
        queues.writes.databaseFor(accountId),
        context,
        async (_trx, audit) => audit({ detail: { format, members: members.length } }),
      );
      const options = { format, separator, pagesOrigin: app.pagesOrigin() };
      const { group_id: groupId } = query;
      const group =
        groupId && groupId !== 'none'
          ? await findGroup(queues.reads.databaseFor(context.accountId), groupId)
          : undefined;
      const name = ['members', group?.slug ?? [], utcDay()].flat().join('-');
      return new WithHeaders(
        {
          'content-type': FILE_TYPES[format],
          'content-disposition': `attachment; filename="${name}.${format}"`,
        },
        Readable.from(formatMembers(members, options)),
      );
    },
  } satisfies Partial<Handlers<typeof members>>;
}

/** `name` becomes the page title and, transliterated, the display name. */
async function insertKeptAccount(db: Transaction, app: MemberServices, name: string | null) {
  const title = name && name.replace(/\s+/g, ' ').trim();
  const isShort = title !== null && title.length <= LIMITS.displayNameMax;
  const address = isShort ? toDisplayName(title, app.names.isReserved) : undefined;
  return insertNamedAccount(db, app, address ?? name, { title });
}

function accountRoutes(app: MemberServices) {
  return {
    createMember: async ({ db, body, audit, refuse }) => {
      const { display_name: name = null, keepers: inputs } = body;
      if (inputs && app.features.off.includes('keepers')) throw refuse('keepersOff');
      const created = inputs
        ? { ...(await insertKeptAccount(db, app, name)), api_key: null }
        : await createAccount(db, app, name);
      const { account_id, api_key } = created;
      audit({ account_id });
      if (inputs) await nameKeepers(db, app, { accountId: account_id, inputs, by: OPERATOR_ACTOR });
      return { ...(await readMemberResponse(db, account_id)), api_key };
    },

    deleteMember: async ({ body: { account_id: targetId }, ...context }) => {
      const { db } = context;
      await lockAndAuditMember(context, targetId);
      const by = (await findDisplayName(db, context.accountId)) ?? null;
      await closeAccount(db, app, targetId, by);
      await enqueueAccountDeletion(db, app.jobs, targetId);
    },

    suspendMember: async ({ body: { account_id: targetId, reason, page_only }, ...context }) => {
      const { db } = context;
      await lockAndAuditMember(context, targetId);
      context.audit({ detail: { reason, ...(page_only && { page_only }) } });
      const suspend = page_only ? suspendPage : suspendAccount;
      await suspend(db, app, { accountId: targetId, reason });
      return readMemberResponse(db, targetId);
    },

    updateMemberRole: async ({ accountId: operatorId, db, body, audit }) => {
      const { account_id: targetId, operator } = body;
      audit({ account_id: targetId, detail: { operator } });
      await changeOperator(db, app, { operatorId, targetId, isOperator: operator });
      return readMemberResponse(db, targetId);
    },

    resumeMember: async ({ db, body, audit }) => {
      const { account_id: targetId } = body;
      await lockExistingAccount(db, targetId);
      const page_only = await isOnlyPageSuspended(db, targetId);
      audit({ account_id: targetId, detail: page_only ? { page_only } : {} });
      await resumeAccount(db, app, targetId);
      return readMemberResponse(db, targetId);
    },

    createLoginLink: async ({ body: { account_id: targetId }, ...context }) => {
      const { db } = context;
      await lockAndAuditMember(context, targetId, { includesOperators: true });
      const login_url = await createLoginLink(db, targetId, app.origin(), VALID_FOR_AN_HOUR);
      if (await isOperator(db, targetId)) {
        const by = await findDisplayName(db, context.accountId);
        await app.outbox.mailOwner(db, loginLinkMail, { accountId: targetId, by: by ?? null });
      }
      return { login_url };
    },
  } satisfies Partial<Handlers<typeof members>>;
}

function settingRoutes(app: MemberServices) {
  return {
    updateMemberName: async ({ body, ...context }) => {
      const { account_id: targetId, display_name: input, redirect } = body;
      const { db } = context;
      await lockAndAuditMember(context, targetId);
      const rename = { accountId: targetId, input, redirect, isByOperator: true };
      const { from } = await changeDisplayName(db, app, rename);
      context.audit({ detail: { from } });
      return readMemberResponse(db, targetId);
    },

    updateMemberEmail: async ({ body: { account_id: accountId, email }, refuse, ...context }) => {
      const { db, audit } = context;
      await lockAndAuditMember(context, accountId);
      if (!app.outbox.isAvailable) throw refuse('mailUnavailable');
      const { kept, email: confirmed, pending_email: pending } = (await findMember(db, accountId))!;
      if (kept) throw refuse('accountKept');
      if (pending !== null && email === confirmed) audit({ detail: { cancelled: true } });
      if (pending !== null && email === pending) audit({ detail: { resent: true } });
      const operator = (await findDisplayName(db, context.accountId)) ?? null;
      await changeForwarding(db, app, { ...context, accountId, email, operator });
      return readMemberResponse(db, accountId);
    },

    updatePictureLimit: async ({
      body: { account_id: targetId, picture_limit_mb },
      ...context
    }) => {
      const { db } = context;
      await lockAndAuditMember(context, targetId);
      context.audit({ detail: { picture_limit_mb } });
      await updateAccountSettings(db, targetId, { picture_limit_mb });
      return readMemberResponse(db, targetId);
    },

    deleteHeldName: async ({ db, body: { display_name }, refuse, audit }) => {
      const { name, last_account_id: account_id } = await endQuarantine(db, display_name);
      if (account_id !== null && (await isOperator(db, account_id)))
        throw refuse('accountIsOperator');
      audit({ account_id, name });
    },
  } satisfies Partial<Handlers<typeof members>>;
}

function toSelection({
  search,
  state,
  group_id,
}: {
  search?: string | undefined;
  state: MemberFilter;
  group_id?: string | undefined;
}): MemberSelection {
  return { search, filter: state, group: group_id };
}

async function isOnlyPageSuspended(trx: Transaction, accountId: string): Promise<boolean> {
  if (await findSuspension(trx, accountId)) return false;
  return (await findPageSuspensionReason(trx, accountId)) !== null;
}

/** Locks the account and adds it to the audit entry. Refuses accounts that operators may not change. */
async function lockAndAuditMember(
  { db, audit }: { db: Transaction; audit: Audit },
  account_id: string,
  { includesOperators = false } = {},
): Promise<void> {
  await lockExistingAccount(db, account_id);
  if (!includesOperators && (await isOperator(db, account_id)))
    throw refuseMember('accountIsOperator');
  audit({ account_id });
}

/** Protects the account from deletion until the transaction ends. Refuses one that waits. */
async function lockExistingAccount(trx: Transaction, accountId: string): Promise<void> {
  const row = await findAndLockAccount(trx, accountId);
  if (row?.account_id !== accountId.toLowerCase()) throw refuseMember('accountNotFound');
  if (await isWaitingAccount(trx, accountId)) throw refuseMember('accountWaiting');
}

async function readMemberResponse(trx: Transaction, accountId: string) {
  const account = (await findMember(trx, accountId))!;
  return { member: serializeMember(account) };
}

function serializeMember({ closed_at, ...row }: Member) {
  const ended = closed_at ? 'deleting' : row.suspended_at ? 'suspended' : 'active';
  return { ...serializeTimes(row), state: row.application ? 'waiting' : ended } as const;
}

function serializeUsage(usage: UsageRow, allowances: Allowances) {
  return USAGE_KINDS.map((kind) => ({
    kind,
    used: usage[kind],
    allowed: allowances[ALLOWANCE_BY_USAGE[kind]] || null,
  }));
}
