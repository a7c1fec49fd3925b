import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { LoginScope } from '../schema.ts';
import { hashDestination } from './forwarding-destinations.ts';
import { exists } from './rows.ts';

/** Per address, and per person who can use an invitation. */
const MAX_LINKS_PER_DAY = 5;

const maxDailyLinks = (invitationHash: Buffer | null) => sql<number>`coalesce(
  (SELECT max_uses FROM invitations WHERE token_hash = ${invitationHash}::bytea), 1)
  * ${MAX_LINKS_PER_DAY}::integer`;

const isOpen = sql<boolean>`created_at > now() - interval '1 day'`;

export interface SignUp {
  email: string;
  display_name: string;
  invitation_hash?: Buffer | null;
  /** Set for an application. */
  application_text?: string | null;
  /** Of a person who applies. */
  application_name?: string | null;
}

/** Returns undefined if the invitation has reached its daily limit. */
export async function findInvitationPurpose(
  db: ReadDatabase,
  hash: Buffer,
): Promise<'invitation' | 'group_invitation' | undefined> {
  const { count, max } = await db
    .selectFrom('sign_ups')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('invitation_hash', '=', hash)
    .select(maxDailyLinks(hash).as('max'))
    .where(isOpen)
    .executeTakeFirstOrThrow();
  if (count >= max) return undefined;
  return max > MAX_LINKS_PER_DAY ? 'group_invitation' : 'invitation';
}

/** Returns undefined if the address or the invitation has reached its daily limit. */
export async function insertSignUp(
  trx: Transaction,
  {
    email,
    display_name,
    invitation_hash = null,
    application_text = null,
    application_name = null,
  }: SignUp,
): Promise<string | undefined> {
  // Serializes sign-ups with the same address, so that the count is exact.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${email}), 0))`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO sign_ups (email, display_name, invitation_hash, application_text, application_name)
    SELECT ${email}, ${display_name}, ${invitation_hash}::bytea, ${application_text}::text,
      ${application_name}::text
    WHERE (SELECT count(*) FROM sign_ups
      WHERE lower(email) = lower(${email}) AND ${isOpen}) < ${MAX_LINKS_PER_DAY}
    AND (SELECT count(*) FROM sign_ups
      WHERE invitation_hash = ${invitation_hash}::bytea AND ${isOpen}) < ${maxDailyLinks(invitation_hash)}
    RETURNING id`.execute(trx);
  return rows[0]?.id;
}

export async function setSignUpToken(
  trx: Transaction,
  id: string,
  tokenHash: Buffer,
): Promise<Required<Pick<SignUp, 'email' | 'display_name' | 'application_text'>> | undefined> {
  return trx
    .updateTable('sign_ups')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where(isOpen)
    .returning(['email', 'display_name', 'application_text'])
    .executeTakeFirst();
}

/** Whether the token of a mailed link can still be used. */
export async function hasSignUp(db: ReadDatabase, tokenHash: Buffer): Promise<boolean> {
  return exists(db, sql`sign_ups WHERE token_hash = ${tokenHash} AND ${isOpen}`);
}

/**
 * Deletes the sign-ups of the link's address with the same name. Another person may have the address,
 * too. Returns undefined if the link is unknown, used or expired.
 */
export async function consumeSignUp(
  trx: Transaction,
  tokenHash: Buffer,
): Promise<Required<Omit<SignUp, 'display_name'>> | undefined> {
  const { rows } = await sql<Required<Omit<SignUp, 'display_name'>> & { is_own: boolean | null }>`
    DELETE FROM sign_ups
    WHERE (lower(email), display_name) = (
      SELECT lower(email), display_name FROM sign_ups WHERE token_hash = ${tokenHash} AND ${isOpen})
    RETURNING email, invitation_hash, application_text, application_name, token_hash = ${tokenHash} AS is_own`.execute(
    trx,
  );
  return rows.find((row) => row.is_own === true);
}

/** Ends sign-ups of a person who accepted an invitation instead. */
export async function deleteSignUps(
  trx: Transaction,
  email: string,
  displayName: string,
): Promise<void> {
  await trx
    .deleteFrom('sign_ups')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('display_name', '=', displayName)
    .execute();
}

interface LoginEmail {
  accountId: string;
  email: string;
  email_scope?: LoginScope;
}

/**
 * Stores the confirmed address of an account that has none, for login links and as the (inactive)
 * forwarding address. `email_scope` is the scope of its login links.
 */
export async function setLoginEmail(
  trx: Transaction,
  { accountId, email, email_scope = 'operator' }: LoginEmail,
): Promise<void> {
  await trx
    .updateTable('forwarding_settings')
    .set({ login_email: email, forwarding_email: email, forwarding_confirmed: true, email_scope })
    .where('account_id', '=', accountId)
    .execute();
  await trx
    .insertInto('forwarding_destinations')
    .values({
      account_id: accountId,
      address_hash: hashDestination(accountId, email),
      confirmed_at: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'address_hash'])
        .doUpdateSet({ confirmed_at: sql<Date>`now()`, token_hash: null, token_expires_at: null }),
    )
    .execute();
}
