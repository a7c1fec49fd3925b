import { EMAIL_PATTERN } from '#contract/email.ts';
import type { MEMBER_PROBLEMS } from '#contract/owner/member-lists.ts';
import { hasInternationalLocalPart } from '#contract/shared/ascii-email.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { MISSPELLED_DOMAINS } from '#contract/shared/misspelled-domains.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { countCodePoints } from '#contract/text.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { type AddressHolder, listAddressHolders } from '#db/queries/invitations.ts';
import type { Core } from '#server/core.ts';
import { mapInChunks } from '#server/platform/limits/map-in-chunks.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import { parseDisplayName, toDisplayName } from '../names/display-name.ts';
import type { NameRules, ReservedNameCheck } from '../names/reserved-names.ts';
import { findUnavailableNames, suggestNames } from './available-names.ts';
import type { MemberRow } from './read-member-csv.ts';

type MemberRules = Pick<Core, 'config'> & { names: NameRules } & { t: Translator };

interface MemberProblem {
  code: (typeof MEMBER_PROBLEMS)[number];
  field: 'name' | 'email' | 'display_name' | 'forward_to_email';
  text: string;
  suggestion: string | null;
}

export interface CheckedMember extends MemberRow {
  state: 'ready' | 'problem' | 'left_out';
  problem: MemberProblem | null;
  note: string | null;
}

/** Not errors: the person already has an account or an invitation, or is on an earlier line. */
const LEFT_OUT_CODES = new Set<MemberProblem['code']>([
  'email_repeated',
  'email_has_account',
  'email_invited',
]);

type CheckedRow = Omit<CheckedMember, 'state'>;

/** Also fills in a display name for each person without one. */
export async function checkInvitations(
  db: ReadDatabase,
  app: Pick<Core, 'config'> & { names: NameRules },
  t: Translator,
  rows: readonly MemberRow[],
): Promise<CheckedMember[]> {
  const rules = { config: app.config, names: app.names, t };
  const emails = rows.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const found = await listAddressHolders(db, [...new Set(emails)]);
  const holders = new Map<string, Holder[]>(Map.groupBy(found, ({ email }) => email));
  const checked: CheckedRow[] = await mapInChunks(rows, (row) => {
    const email = row.email?.toLowerCase() ?? '';
    const others = holders.get(email) ?? [];
    const same = others.find((other) => isSamePerson(row, other, app.names.isReserved));
    const problem =
      checkEmail(row, rules) ??
      (same && describeHolder(t, same)) ??
      checkName(t, row) ??
      checkForwardTo(row, rules) ??
      null;
    const note = others[0] && !problem ? describeOther(t, others[0]) : null;
    const { line, name, display_name } = row;
    const names = name === null ? [] : [name];
    holders.set(email, [...others, { state: 'repeated', line, display_name, names }]);
    return { ...row, problem, note };
  });
  await checkDisplayNames(db, rules, checked);
  return checked.map((row) => ({
    ...row,
    state:
      row.problem === null
        ? 'ready'
        : LEFT_OUT_CODES.has(row.problem.code)
          ? 'left_out'
          : 'problem',
  }));
}

function createProblem(
  code: MemberProblem['code'],
  field: MemberProblem['field'],
  text: string,
  suggestion: string | null = null,
): MemberProblem {
  return { code, field, text, suggestion };
}

function checkEmail({ email }: MemberRow, { config, t }: MemberRules): MemberProblem | undefined {
  if (email === null)
    return createProblem('email_missing', 'email', t('The email address is missing.'));
  const explain = (address: string) =>
    explainRefusedDomain(address, config, config.REGISTRATION_REFUSED_DOMAINS);
  return checkAddress(t, 'email', email, explain);
}

/** Who has the address of a line already: an account, an invitation or an earlier line. */
type Holder =
  | AddressHolder
  | (Omit<AddressHolder, 'email' | 'state' | 'id'> & { state: 'repeated'; line: number });

/** Couples and families share addresses, but not names. */
export function isSamePerson(
  { name, display_name }: Pick<MemberRow, 'name' | 'display_name'>,
  holder: Pick<Holder, 'state' | 'names' | 'display_name'>,
  isReserved: ReservedNameCheck,
): boolean {
  const hasSameName = holder.names.some((other) => wordsOf(other) === wordsOf(name ?? ''));
  if (display_name !== null && display_name.toLowerCase() === holder.display_name)
    return holder.state === 'member' || name === null || !holder.names.length || hasSameName;
  if (name === null) return display_name === null || holder.display_name === null;
  if (holder.names.length === 0 && (holder.state !== 'member' || holder.display_name === null))
    return true;
  return hasSameName || toDisplayName(name, isReserved) === holder.display_name;
}

/** `Müller, José` and `José Müller` are the same. */
function wordsOf(name: string): string {
  return (
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .toSorted()
    .join(' ');
}

function describeOther(t: Translator, other: Holder): string {
  const { state, display_name: name } = other;
  return state === 'member' && name !== null
    ? t('{name} has this address, too.', { name })
    : describeHolder(t, other).text;
}

function describeHolder(t: Translator, holder: Holder): MemberProblem {
  switch (holder.state) {
    case 'member':
      return createProblem(
        'email_has_account',
        'email',
        t('There is an account with this address.'),
      );
    case 'invited':
      return createProblem('email_invited', 'email', t('This address has an invitation.'));
    case 'repeated':
      return createProblem(
        'email_repeated',
        'email',
        t('Line {line} has the same address.', { line: holder.line }),
      );
  }
}

function checkName(t: Translator, { name }: MemberRow): MemberProblem | undefined {
  if (name === null || countCodePoints(name) <= LIMITS.memberName) return undefined;
  return createProblem(
    'name_too_long',
    'name',
    t('A name can have at most {count} characters.', { count: LIMITS.memberName }),
    cutText(name, LIMITS.memberName).trim(),
  );
}

function checkForwardTo(
  { forward_to_email }: MemberRow,
  { config, t }: MemberRules,
): MemberProblem | undefined {
  if (forward_to_email === null) return undefined;
  return checkAddress(t, 'forward_to_email', forward_to_email, (address) =>
    explainRefusedDomain(address, config),
  );
}

function checkAddress(
  t: Translator,
  field: 'email' | 'forward_to_email',
  address: string,
  explainRefused: (address: string) => ReturnType<typeof explainRefusedDomain>,
): MemberProblem | undefined {
  const repaired = repairAddress(address);
  const isMisspelled = /\.(?:cmo|con|comm|ocm|vom|xom|.)$/i.test(address);
  if (repaired === address && !isMisspelled) {
    const explain = explainRefused(address);
    return explain && createProblem(`${field}_not_allowed`, field, explain(t));
  }
  return createProblem(
    `${field}_invalid`,
    field,
    isEmail(address)
      ? t('The domain of this address is probably misspelled.')
      : hasInternationalLocalPart(address)
        ? t('Only letters from a to z, digits and signs work before the @.')
        : t('This is not an email address.'),
    repaired !== null && repaired !== address && !explainRefused(repaired) ? repaired : null,
  );
}

function isEmail(text: string): boolean {
  return text.length <= LIMITS.email && EMAIL_PATTERN.test(text);
}

/**
 * Finds the address in `Jane <jane@example.com>` and `jane at example.com`, and corrects
 * misspelled domains. Changing the part before the @ could yield another person's address.
 */
function repairAddress(input: string): string | null {
  const address = (/^[^<>]*<([^<>]*)>$/.exec(input)?.[1] ?? input)
    .trim()
    .replace(/ ?[([]at[)\]] ?| at /i, '@');
  if (!isEmail(address)) return null;
  const [localPart, domain = ''] = address.split('@');
  return `${localPart}@${MISSPELLED_DOMAINS.get(domain.toLowerCase()) ?? domain}`;
}

/** Fills in missing display names, and sets `problem` on rows whose display name cannot be used. */
async function checkDisplayNames(
  db: ReadDatabase,
  rules: MemberRules,
  checked: CheckedRow[],
): Promise<void> {
  const rows = checked.filter(
    ({ problem }) => problem === null || !LEFT_OUT_CODES.has(problem.code),
  );
  const problems = new Map<CheckedRow, MemberProblem>();
  const claimed = new Map<string, number>();
  for (const row of rows) {
    if (row.display_name === null) continue;
    const problem = checkDisplayName(row, rules);
    const line = problem ? undefined : claimed.get(row.display_name);
    if (problem) problems.set(row, problem);
    else if (line === undefined) claimed.set(row.display_name, row.line);
    else
      problems.set(
        row,
        displayNameProblem('repeated', rules.t('Line {line} has the same name.', { line })),
      );
  }
  const unavailable = await findUnavailableNames(db, rules, [...claimed.keys()]);
  for (const row of rows) {
    const { display_name: name } = row;
    if (name !== null && unavailable.has(name) && !problems.has(row))
      problems.set(
        row,
        displayNameProblem('taken', rules.t('The name {name} is taken.', { name })),
      );
  }
  const unnamed = rows.filter((row) => row.display_name === null || problems.has(row));
  const suggestions = await suggestNames(db, rules, unnamed, new Set(claimed.keys()));
  for (const [index, row] of unnamed.entries()) {
    const suggestion = suggestions[index] ?? null;
    const problem = problems.get(row);
    if (problem) row.problem ??= { ...problem, suggestion };
    else row.display_name = suggestion;
  }
}

/** Returns the problem with the display name, if any; otherwise normalizes it in place. */
function checkDisplayName(row: CheckedRow, { t, names }: MemberRules): MemberProblem | undefined {
  try {
    row.display_name = parseDisplayName(row.display_name ?? '', names.isReserved);
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    return error.code === 'displayNameReserved'
      ? displayNameProblem(
          'reserved',
          t('The name {name} is reserved.', { name: row.display_name ?? '' }),
        )
      : displayNameProblem(
          'invalid',
          t('A name has {min} to {max} letters a to z, digits and hyphens.', {
            min: LIMITS.displayNameMin,
            max: LIMITS.displayNameMax,
          }),
        );
  }
}

function displayNameProblem(
  kind: 'invalid' | 'reserved' | 'taken' | 'repeated',
  text: string,
): MemberProblem {
  return createProblem(`display_name_${kind}`, 'display_name', text);
}
