import { LIMITS } from '#contract/shared/limits.ts';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { showMemberExport } from '../members/export-members.tsx';
import { MemberHeader, MemberTabs } from '../members/member-header.tsx';
import { type Group, showGroupDeletion, showGroupForm } from './group-form.tsx';
import { GroupDot } from './group-pill.tsx';
import './groups.css';

export function Groups() {
  const list = useAsync(async () => {
    const [{ groups, imports }, { groups: deleted }] = await Promise.all([
      owner.groups.listGroups(),
      owner.groups.listGroups({ deleted: true }),
    ]);
    return { groups, imports, deleted };
  });
  return (
    <>
      <MemberHeader />
      <MemberTabs value="operator/members/groups" />
      <AsyncContent state={list}>
        {({ groups, imports, deleted }) => (
          <>
            <section class="card">
              {groups.length === 0 && (
                <Empty icon={ICON_PATHS.user} title={t('No groups yet')}>
                  <p class="muted">{t('Sort members into groups such as Altos or Board.')}</p>
                </Empty>
              )}
              <ul>
                {groups.map((group) => (
                  <GroupRow key={group.id} group={group} reload={list.reload} />
                ))}
              </ul>
              <div class="actions new-group">
                <button type="button" onClick={() => showGroupForm(undefined, list.reload)}>
                  <Icon path={ICON_PATHS.plus} />
                  {t('New group')}
                </button>
              </div>
            </section>
            {imports.length > 0 && <Imports imports={imports} reload={list.reload} />}
            {deleted.length > 0 && <DeletedGroups groups={deleted} reload={list.reload} />}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function countMembers({ members: count, invited }: Pick<Group, 'members' | 'invited'>): string {
  const members =
    count === 0
      ? t('No members yet')
      : t('{count, plural, one {# member} other {# members}}', { count });
  return invited > 0 ? `${members} · ${t('{count} invited', { count: invited })}` : members;
}

function GroupRow({ group, reload }: { group: Group; reload: () => void }) {
  const { id, name, color, in_directory: isShown } = group;
  return (
    <ListRow
      sign={<GroupDot color={color} />}
      title={<a href={dashboardHref(`operator/members?group=${id}`)}>{name}</a>}
      text={
        <>
          {countMembers(group)}
          {isShown && ` · ${t('In the list of members')}`}
        </>
      }
      end={
        <Menu
          label={t('More for {name}', { name })}
          items={() => [
            ...(isOn('messages')
              ? [
                  {
                    label: t('Write to its members'),
                    iconPath: ICON_PATHS.mail,
                    run: () => navigate(`operator/members/messages?group=${id}`),
                  },
                ]
              : []),
            {
              label: t('Export'),
              iconPath: ICON_PATHS.download,
              run: () => void showMemberExport({ group_id: id }, name),
            },
            {
              label: t('Change'),
              iconPath: ICON_PATHS.edit,
              run: () => showGroupForm(group, reload),
            },
            {
              label: t('Delete'),
              iconPath: ICON_PATHS.close,
              isDangerous: true,
              run: () => void showGroupDeletion(group, reload),
            },
          ]}
        />
      }
    />
  );
}

type Import = ResponseOf<typeof owner.groups.listGroups>['imports'][number];

function Imports({ imports, reload }: { imports: readonly Import[]; reload: () => void }) {
  const takeBack = async ({ id: import_id, groups, members, invited, restored }: Import) => {
    const isConfirmed = await confirm({
      title: t('Take the list back?'),
      text: t(
        '{groups, plural, =0 {No group goes into the bin.} one {# group goes into the bin for {days} days, with its members.} other {# groups go into the bin for {days} days, with their members.}} {members, plural, one {# member} other {# members}} and {invited, plural, one {# invited person} other {# invited people}} leave the groups of the list. {restored, plural, =0 {Nobody returns to a group.} one {# person returns to a group.} other {# people return to groups.}} Accounts and invitations stay.',
        { groups, members, invited, restored, days: LIMITS.deletedGroupDays },
      ),
      action: t('Take back'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.groups.revokeImport({ import_id })))) return;
    showMessage(t('Took the list back. Groups in the bin: {groups}.', { groups }));
    reload();
  };
  return (
    <section class="card">
      <h2>{t('Imported lists')}</h2>
      <ul>
        {imports.map((one) => (
          <ListRow
            key={one.id}
            icon={ICON_PATHS.upload}
            title={<TimeAgo time={one.created_at} />}
            text={t(
              '{members, plural, one {# member} other {# members}}, {invited} invited. Can be taken back for a day.',
              one,
            )}
            actions={
              <button type="button" class="quiet" onClick={() => void takeBack(one)}>
                {t('Take back')}
              </button>
            }
          />
        ))}
      </ul>
    </section>
  );
}

function DeletedGroups({ groups, reload }: { groups: readonly Group[]; reload: () => void }) {
  const restore = async (group_id: string) => {
    if (await withErrorMessage(owner.groups.updateGroup({ group_id, deleted: false }))) reload();
  };
  return (
    <section class="card">
      <h2>{t('Deleted')}</h2>
      <ul>
        {groups.map(({ id, name, color, deleted_at, ...counts }) => (
          <ListRow
            key={id}
            sign={<GroupDot color={color} />}
            title={name}
            text={
              <>
                {countMembers(counts)} · <TimeAgo time={deleted_at!} />
              </>
            }
            actions={
              <button type="button" class="quiet" onClick={() => void restore(id)}>
                {t.rich('Bring back<hidden> {name}</hidden>', { name, hidden: visuallyHidden })}
              </button>
            }
          />
        ))}
      </ul>
    </section>
  );
}
