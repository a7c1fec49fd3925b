import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, currentPath, navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { showGroupsOf } from '../groups/assign-groups.tsx';
import { GroupFilters } from '../groups/group-filters.tsx';
import type { Group } from '../groups/group-form.tsx';
import { GroupPill } from '../groups/group-pill.tsx';
import { loadGroups } from '../groups/load-groups.ts';
import { showMemberExport } from './export-members.tsx';
import { type Member, memberName, pageState } from './labels.ts';
import { SelectAllLeavers, SuspendLeaver, SuspendLeavers } from './leaver-actions.tsx';
import { MEMBER_ACTIONS, type MemberAction, actionLabel } from './member-actions.tsx';
import { MemberFace } from './member-face.tsx';
import { MemberHeader, MemberTabs } from './member-header.tsx';
import { MemberState } from './member-state.tsx';
import { MemberScreen } from './member.tsx';
import './members.css';
import { SearchInput } from './search-input.tsx';
import { SelectedMembers, type Selection, SelectMember } from './selection.tsx';
import { WaitingList } from './waiting.tsx';

const FILTERS = [
  ['all', t('All'), ''],
  ['suspended', t('Suspended or hidden'), t('Nobody is suspended.')],
  ['operators', t('Operators'), t('Open a member to make an operator of them.')],
  ['unseen', t('Not seen'), t('Everyone has been here.')],
  ['no_page', t('No page'), t('Everyone has a published page.')],
  ['left_group', t('Left the group'), t('Nobody left the group.')],
] as const satisfies readonly [state: string, title: string, empty: string][];
type State = (typeof FILTERS)[number][0];

const NO_GROUP = 'none';

export function Members() {
  const [, , id] = currentPath.value.split('/');
  // Mails of 0.3.1 link to `applications`.
  if (id === 'waiting' || id === 'applications')
    return (
      <>
        <MemberHeader onExport={() => void showMemberExport({ state: 'waiting' }, t('Waiting'))} />
        <MemberTabs value="operator/members/waiting" />
        <WaitingList />
      </>
    );
  return id ? <MemberScreen key={id} id={id} /> : <MemberList />;
}

function MemberList() {
  const search = query.value.get('search') ?? '';
  const requested = query.value.get('state');
  const group = query.value.get('group') ?? undefined;
  const [state, title, emptyText] = FILTERS.find(([value]) => value === requested) ?? FILTERS[0];
  const filter = {
    search: search || undefined,
    state: state === 'all' ? undefined : state,
    group_id: group,
  };
  const list = useBatches(
    (cursor) => owner.members.listMembers({ ...filter, ...cursor }),
    ({ members }) => members,
    [search, state, group],
  );
  const counts = useAsync(async () => (await owner.server.getServer()).accounts);
  const groups = useAsync(loadGroups);
  const selection = useSignal<readonly string[]>([]);
  const groupName = groupTitle(group, groups.value ?? []);
  const groupText = groups.value && !groupName ? t('This group does not exist any more.') : '';
  const isOfLeavers = state === 'left_group';
  const reload = () => {
    selection.value = [];
    list.loaded.reload();
    counts.reload();
    groups.reload();
  };
  return (
    <>
      <MemberHeader
        group={group}
        total={counts.value?.total}
        onExport={() => void showMemberExport(filter, groupName ?? title)}
      />
      <MemberTabs value="operator/members" />
      <Filters
        search={search}
        state={state}
        group={group}
        counts={counts.value}
        groups={groups.value ?? []}
      />
      <section class="card member-list">
        <BatchList
          list={list}
          empty={
            <NoMembers
              search={search}
              text={group ? groupText : emptyText}
              onClear={() => applyFilter({ search: '', state, group })}
            />
          }
        >
          {(members) => (
            <>
              {isOfLeavers && <SelectAllLeavers leavers={members} selection={selection} />}
              <MemberTable
                members={members}
                onChange={reload}
                selection={isOfLeavers || groups.value?.length ? selection : undefined}
                isOfLeavers={isOfLeavers}
              />
            </>
          )}
        </BatchList>
      </section>
      <Selected
        members={list.rows.filter(({ id }) => selection.value.includes(id))}
        isOfLeavers={isOfLeavers}
        onClear={() => (selection.value = [])}
        onChange={reload}
      />
    </>
  );
}

function Selected({
  members,
  isOfLeavers,
  onClear,
  onChange,
}: {
  members: readonly Member[];
  isOfLeavers: boolean;
  onClear: () => void;
  onChange: () => void;
}) {
  if (members.length === 0) return null;
  return (
    <SelectedMembers count={members.length} onClear={onClear}>
      {isOn('groups') && (
        <button type="button" onClick={() => showGroupsOf(members, onChange)}>
          {t('Groups')}
        </button>
      )}
      {isOfLeavers && <SuspendLeavers leavers={members} onChange={onChange} />}
    </SelectedMembers>
  );
}

function Filters({
  search,
  state,
  group,
  counts,
  groups,
}: {
  search: string;
  state: State;
  group: string | undefined;
  groups: readonly Group[];
  counts: Readonly<Record<Exclude<State, 'all'> | 'total', number>> | undefined;
}) {
  const chooseGroup = (id: string | undefined) => applyFilter({ search, group: id });
  return (
    <div class="row filters">
      <SearchInput
        label={t('Search members')}
        placeholder={t('Name, email or ID')}
        search={search}
        onSearch={(next) => applyFilter({ search: next, state, group })}
      />
      <div class="row member-filters" role="group" aria-label={t('Which members')}>
        {FILTERS.map(([value, title]) => {
          const count = counts?.[value === 'all' ? 'total' : value];
          if (!count && value !== 'all' && value !== state) return null;
          return (
            <button
              key={value}
              type="button"
              class="chip"
              aria-pressed={state === value && !group}
              onClick={() => applyFilter({ search, state: value })}
            >
              {title} <span class="muted">{count}</span>
            </button>
          );
        })}
        <GroupFilters groups={groups} group={group} hasCounts onChoose={chooseGroup} />
        {groups.length > 0 && (
          <button
            type="button"
            class="chip"
            aria-pressed={group === NO_GROUP}
            onClick={() => chooseGroup(group === NO_GROUP ? undefined : NO_GROUP)}
          >
            {t('No group')}
          </button>
        )}
      </div>
    </div>
  );
}

function groupTitle(group: string | undefined, groups: readonly Group[]): string | undefined {
  return group === NO_GROUP ? t('No group') : groups.find(({ id }) => id === group)?.name;
}

function NoMembers({
  search,
  text,
  onClear,
}: {
  search: string;
  text: string;
  onClear: () => void;
}) {
  if (!search)
    return (
      <Empty icon={ICON_PATHS.user} title={t('No members found')}>
        <p class="muted">{text}</p>
      </Empty>
    );
  return (
    <Empty icon={ICON_PATHS.search} title={t('No members found for “{search}”', { search })}>
      <p class="muted">{t('Try a part of a name or email address, or an account ID.')}</p>
      <div class="actions">
        <button type="button" onClick={onClear}>
          {t('Clear search')}
        </button>
        {isOn('invitations') && (
          <a
            class="button quiet"
            href={dashboardHref(`operator/members/invitations?${new URLSearchParams({ search })}`)}
          >
            {t('Search invitations')}
          </a>
        )}
      </div>
    </Empty>
  );
}

function applyFilter({
  search,
  state = 'all',
  group,
}: {
  search: string;
  state?: State;
  group?: string | undefined;
}): void {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state !== 'all') params.set('state', state);
  if (group) params.set('group', group);
  navigate(`operator/members${params.size > 0 ? `?${params}` : ''}`, { replace: true });
}

function MemberTable({
  members,
  onChange,
  selection,
  isOfLeavers,
}: {
  members: readonly Member[];
  onChange: () => void;
  /** If given, rows can be selected. */
  selection: Selection | undefined;
  isOfLeavers: boolean;
}) {
  return (
    <Table
      caption={t('Members')}
      rows={members}
      rowKey={({ id }) => id}
      columns={[
        {
          title: t('Member'),
          cellClass: 'member-title',
          cell: (member) => (
            <div class="member-name">
              {selection && canBeSelected(member, isOfLeavers) && (
                <SelectMember member={member} selection={selection} />
              )}
              <MemberFace member={member} />
              <div>
                <a class="strong" href={dashboardHref(`operator/members/${member.id}`)}>
                  {member.page_title ?? memberName(member)}
                </a>
                <UnusualState member={member} />
              </div>
            </div>
          ),
        },
        {
          title: t('Name'),
          cellClass: 'member-handle',
          cell: (member) => member.page_title && memberName(member),
        },
        ...(members.some(({ email, pending_email }) => email ?? pending_email)
          ? [EMAIL_COLUMN]
          : []),
        {
          title: t('Last seen'),
          cellClass: 'member-seen',
          cell: ({ last_seen_at }) =>
            last_seen_at ? (
              <TimeAgo time={last_seen_at} />
            ) : (
              <span class="muted">{t('Not seen')}</span>
            ),
        },
        members.some(({ groups }) => groups.length > 0) && isOn('groups')
          ? { title: t('Groups'), cellClass: 'member-groups', cell: GroupPills }
          : {
              title: t('Joined'),
              cellClass: 'member-joined',
              cell: ({ created_at }) => <LocalDate time={created_at} />,
            },
      ]}
      actions={(member) =>
        member.state !== 'deleting' && (
          <div class="row">
            {isOfLeavers && MEMBER_ACTIONS.suspend.isFor(member) && (
              <SuspendLeaver member={member} onChange={onChange} />
            )}
            <MemberMenu member={member} onChange={onChange} />
          </div>
        )
      }
    />
  );
}

const EMAIL_COLUMN: Column<Member> = {
  title: t('Email'),
  cellClass: 'member-email',
  cell: ({ email, pending_email }) => (
    <>
      {email !== null && <div>{email}</div>}
      {pending_email !== null && (
        <div>{t('{email} (not confirmed)', { email: pending_email })}</div>
      )}
    </>
  ),
};

function GroupPills({ groups }: Member) {
  return (
    <div class="chips">
      {groups.map((group) => (
        <GroupPill key={group.id} {...group} />
      ))}
    </div>
  );
}

function canBeSelected(member: Member, isOfLeavers: boolean): boolean {
  return isOfLeavers ? MEMBER_ACTIONS.suspend.isFor(member) : member.state !== 'deleting';
}

/** Nothing for an active person with a visible page. */
function UnusualState({ member }: { member: Member }) {
  const { open_reports: count, state, operator, kept, page_visible, left_group } = member;
  const isActive = state === 'active';
  return (
    <>
      {kept && <span class="pill">{t('Club or team')}</span>}
      {(!isActive || operator) && <MemberState member={member} />}
      {isActive && !page_visible && <span class="pill">{pageState(member)}</span>}
      {left_group && <span class="pill warn">{t('Left the group')}</span>}
      {count > 0 && (
        <span class="pill warn">
          {t('{count, plural, one {# report} other {# reports}}', { count })}
        </span>
      )}
    </>
  );
}

function MemberMenu({ member, onChange }: { member: Member; onChange: () => void }) {
  const actions: MemberAction[] = Object.values(MEMBER_ACTIONS);
  const items = () =>
    actions
      .filter((action) => action.isFor(member))
      // The screen of the member can also hide a page before it is published.
      .filter(
        (action) =>
          action !== MEMBER_ACTIONS.hide || member.page_visible || member.page_for_members,
      )
      .map((action) => ({
        label: actionLabel(action, member),
        iconPath: action.iconPath,
        isDangerous: action === MEMBER_ACTIONS.delete,
        run: () => action.run(member, onChange),
      }));
  return <Menu label={t('More for {name}', { name: memberName(member) })} items={items} />;
}
