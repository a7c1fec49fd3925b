import { type Kysely, sql } from 'kysely';

/** Group addresses. Mail servers read them through the same view as display names. */
export async function up(trx: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(trx);
}

const STATEMENTS = `
-- is_address: whether the current or last owner of the name is a group address.
ALTER TABLE display_names
  ADD COLUMN is_address boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT display_names_check,
  ADD CONSTRAINT display_names_check CHECK (
    (account_id IS NULL) = (released_at IS NOT NULL)
    OR (is_address AND account_id IS NULL AND released_at IS NULL));

CREATE TABLE addresses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE REFERENCES display_names,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Members, and outside addresses, which confirm first. The link in their mail works as long as the
-- row exists, so that it can end the forwarding later. A member who deleted the account leaves a row
-- with neither, so that operators see that a reader is missing.
CREATE TABLE address_recipients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  address_id uuid NOT NULL REFERENCES addresses ON DELETE CASCADE,
  account_id uuid REFERENCES accounts ON DELETE CASCADE,
  email text CHECK (length(email) <= 254),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
  asked_at timestamptz,
  confirmed_at timestamptz,
  stopped_at timestamptz,
  CHECK (account_id IS NULL OR email IS NULL),
  UNIQUE (address_id, account_id)
);
CREATE UNIQUE INDEX address_recipients_email ON address_recipients (address_id, lower(email));
CREATE INDEX address_recipients_account_id ON address_recipients (account_id);

-- The mailbox of each recipient that gets mail now: the current address of a member, also while the
-- forwarding of the display name is off. A UNION would make joins with the view read all recipients.
CREATE VIEW address_readers AS
  SELECT recipient.id, recipient.address_id, mailbox.email
  FROM address_recipients AS recipient
  LEFT JOIN accounts ON accounts.id = recipient.account_id AND accounts.suspended_at IS NULL
  LEFT JOIN forwarding_settings ON forwarding_settings.account_id = accounts.id
  CROSS JOIN LATERAL (SELECT CASE
    WHEN recipient.confirmed_at IS NOT NULL AND recipient.account_id IS NULL THEN recipient.email
    WHEN coalesce(forwarding_confirmed, forwarding_enabled) THEN forwarding_email
    ELSE login_email END AS email) AS mailbox
  WHERE mailbox.email IS NOT NULL AND recipient.stopped_at IS NULL;

CREATE VIEW member_aliases AS
  SELECT display_names.name, forwarding_settings.forwarding_email AS destination
  FROM display_names
  JOIN forwarding_settings USING (account_id)
  JOIN accounts ON accounts.id = forwarding_settings.account_id
  WHERE forwarding_settings.forwarding_enabled AND forwarding_settings.forwarding_confirmed IS NOT FALSE
    AND accounts.suspended_at IS NULL;

-- A list of destinations is separated by commas. Two members can have one mailbox.
CREATE OR REPLACE VIEW postfix_aliases WITH (security_barrier = true) AS
  SELECT name, destination FROM member_aliases
  UNION ALL
  SELECT addresses.name,
    (SELECT string_agg(DISTINCT lower(email), ',') FROM address_readers
      WHERE address_readers.address_id = addresses.id)
  FROM addresses
  WHERE EXISTS (SELECT FROM address_readers WHERE address_readers.address_id = addresses.id);
`;
