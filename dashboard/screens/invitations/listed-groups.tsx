import { signal } from '@preact/signals';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { isOn } from '#dashboard/facts.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { type CheckedMember, formatMemberList } from './member-csv.ts';

/** What the list would change. Null if it names no groups. */
export const listedGroups = signal<ResponseOf<typeof owner.groups.checkImport> | null>(null);
/** What is left after some were invited does not say who leaves. */
const isWholeList = signal(true);
const removesOthers = signal(false);

export async function checkGroups(
  members: readonly CheckedMember[],
  { isNew = false } = {},
): Promise<void> {
  if (isNew) isWholeList.value = true;
  const hasGroups = isOn('groups') && members.some(({ groups }) => groups !== null);
  listedGroups.value = hasGroups ? await owner.groups.checkImport(formatMemberList(members)) : null;
}

/** After the invitations, because who was invited joins the groups with the invitation. */
export async function saveGroups(members: readonly CheckedMember[]): Promise<boolean> {
  const { import_id, groups } = await owner.groups.importMembers({
    ...formatMemberList(members),
    remove_others: removesOthers.peek(),
  });
  isWholeList.value = false;
  removesOthers.value = false;
  listedGroups.value = null;
  showMessage(
    import_id === null
      ? t('The groups were like this already.')
      : t('Filled {count, plural, one {# group} other {# groups}}.', { count: groups.length }),
  );
  return true;
}

export function ListedGroups({
  column,
  members,
}: {
  column: string;
  members: readonly CheckedMember[];
}) {
  if (!listedGroups.value) return null;
  const { groups, unknown_lines: unknown } = listedGroups.value;
  const isInvited = (line: number) =>
    members.some((member) => member.line === line && member.state === 'ready');
  const joining = unknown.filter(isInvited);
  const unclear = unknown.filter((line) => !isInvited(line));
  const removedCount = groups.reduce((count, { removed }) => count + removed, 0);
  return (
    <section class="card">
      <h2>{t('Groups from “{column}”', { column })}</h2>
      <ul aria-label={t('Groups')}>
        {groups.map(({ id, name, lines, added, removed }) => (
          <ListRow
            key={name}
            icon={ICON_PATHS.user}
            title={
              <>
                {name} {id === null && <span class="pill good">{t('group|New')}</span>}
              </>
            }
            text={[
              t('{count, plural, one {# person} other {# people}}', { count: lines }),
              added > 0 && t('adds {count}', { count: added }),
              removesOthers.value && removed > 0 && t('removes {count}', { count: removed }),
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </ul>
      {joining.length > 0 && (
        <p class="hint">
          {t(
            '{count, plural, one {# person of the list has no account yet and joins} other {# people of the list have no account yet and join}} with the invitation.',
            { count: joining.length },
          )}
        </p>
      )}
      {unclear.length > 0 && (
        <p class="hint">
          {t(
            '{count, plural, one {Line {lines} joins} other {Lines {lines} join}} no group yet. Repair what is marked; where several people share an address, write the name as in their account.',
            { count: unclear.length, lines: formatList(unclear.map(String)) },
          )}
        </p>
      )}
      {isWholeList.value && removedCount > 0 && (
        <label class="row">
          <input
            type="checkbox"
            checked={removesOthers.value}
            onChange={({ currentTarget }) => (removesOthers.value = currentTarget.checked)}
          />
          {t(
            'Take {count, plural, one {# member} other {# members}} out of these groups, where only an earlier list put them. Their accounts stay.',
            { count: removedCount },
          )}
        </label>
      )}
      <p class="hint">{t('You can take it back for a day, under Groups.')}</p>
    </section>
  );
}
