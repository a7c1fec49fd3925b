import type { NewRecipient, RecipientRow } from '#db/queries/addresses.ts';

type StoredRecipient = Pick<RecipientRow, 'id' | 'account_id' | 'email'>;

/** Without `wanted`, all stay. Repeated recipients are added once. */
export function diffRecipients<Row extends StoredRecipient>(
  current: readonly Row[],
  wanted?: readonly NewRecipient[],
): { added: NewRecipient[]; removed: Row[]; kept: readonly Row[] } {
  if (!wanted) return { added: [], removed: [], kept: current };
  const wantedByKey = new Map(wanted.map((recipient) => [identify(recipient), recipient]));
  const currentKeys = new Set(current.map(identify));
  return {
    added: [...wantedByKey].flatMap(([key, recipient]) => (currentKeys.has(key) ? [] : recipient)),
    removed: current.filter((row) => !wantedByKey.has(identify(row))),
    kept: current.filter((row) => wantedByKey.has(identify(row))),
  };
}

/** A row of a deleted account has only its own id, so it equals no new recipient. */
function identify({
  account_id,
  email,
  id = '',
}: (NewRecipient & { id?: undefined }) | StoredRecipient): string {
  return account_id ?? email?.toLowerCase() ?? id;
}
