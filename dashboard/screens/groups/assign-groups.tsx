import { type Signal, signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';
import { type Member, memberName } from '../members/labels.ts';
import { CreateGroupFirst, useGroups } from './group-chips.tsx';
import type { Group } from './group-form.tsx';
import { GroupDot } from './group-pill.tsx';
import './groups.css';

/** Ticks the groups of the members. A dash: some of them are in it, and it stays so. */
export function showGroupsOf(members: readonly Member[], onChange: () => void): void {
  const chosen = signal<ReadonlyMap<string, boolean>>(new Map());
  const [member] = members;
  void showFormDialog({
    title:
      members.length === 1
        ? t('Groups of {name}', { name: memberName(member!) })
        : t('Groups of {count} members', { count: members.length }),
    submitLabel: t('Save'),
    onSubmit: async () => {
      await saveGroups(members, chosen.value);
      onChange();
    },
    render: () => <GroupChoices members={members} chosen={chosen} />,
  });
}

function GroupChoices({
  members,
  chosen,
}: {
  members: readonly Member[];
  chosen: Signal<ReadonlyMap<string, boolean>>;
}) {
  return (
    <AsyncContent state={useGroups()}>
      {({ groups }) =>
        groups.length === 0 ? (
          <CreateGroupFirst />
        ) : (
          <ul>
            {groups.map((group) => (
              <li key={group.id}>
                <GroupChoice
                  group={group}
                  count={members.filter((one) => isIn(one, group.id)).length}
                  total={members.length}
                  chosen={chosen.value.get(group.id)}
                  onChoice={(isOn) => (chosen.value = new Map(chosen.value).set(group.id, isOn))}
                />
              </li>
            ))}
          </ul>
        )
      }
    </AsyncContent>
  );
}

const isIn = ({ groups }: Member, groupId: string) => groups.some(({ id }) => id === groupId);

function GroupChoice({
  group: { name, color },
  count,
  total,
  chosen,
  onChoice,
}: {
  group: Group;
  /** How many of the `total` members are in the group now. */
  count: number;
  total: number;
  chosen: boolean | undefined;
  onChoice: (isOn: boolean) => void;
}) {
  const isPart = chosen === undefined && count > 0 && count < total;
  return (
    <label class="row group-choice">
      <input
        type="checkbox"
        checked={chosen ?? count === total}
        indeterminate={isPart}
        onChange={({ currentTarget }) => onChoice(currentTarget.checked)}
      />
      <GroupDot color={color} />
      <span class="grow">{name}</span>
      <span class="hint">
        {isPart
          ? t('{count} of {total}', { count, total })
          : chosen === true && count < total
            ? t('adds {count}', { count: total - count })
            : chosen === false && count > 0 && t('removes {count}', { count })}
      </span>
    </label>
  );
}

async function saveGroups(
  members: readonly Member[],
  chosen: ReadonlyMap<string, boolean>,
): Promise<void> {
  let keptCount = 0;
  for (const [group_id, isOn] of chosen) {
    const account_ids = members
      .filter((member) => isIn(member, group_id) !== isOn)
      .map(({ id }) => id);
    if (account_ids.length === 0) continue;
    if (isOn) await owner.groups.addMembers({ group_id, account_ids });
    else keptCount += (await owner.groups.removeMembers({ group_id, account_ids })).kept;
  }
  if (keptCount > 0)
    showMessage(
      t(
        '{count, plural, one {# member stays} other {# members stay}} in the group by single sign-on.',
        { count: keptCount },
      ),
    );
}
