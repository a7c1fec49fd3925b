import { listFormat } from '#contract/shared/intl-formats.ts';
import { listLeavers } from '#db/queries/members.ts';
import type { ToDoReader } from '../define-feature.ts';

const MAX_NAMED = 4;

export const findLeavers: ToDoReader = async (_app, db, t) => {
  const leavers = await listLeavers(db, MAX_NAMED);
  const count = leavers[0]?.total ?? 0;
  if (count === 0) return undefined;
  const title = t(
    '{count, plural, one {# member left the group} other {# members left the group}}',
    { count },
  );
  const names = leavers.map(({ id, name }) =>
    name === null ? t('Account {id}', { id: id.slice(0, 8) }) : `@${name}`,
  );
  if (names.length < count) names.push('…');
  const text = t('Keys and passkeys of {names} work until you suspend the account.', {
    names: listFormat(t.locale).format(names),
  });
  return { code: 'membersLeft', level: 'warning', title, text, count };
};
