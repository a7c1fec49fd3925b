import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { countToDo } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, currentPath, navigate, query } from '#dashboard/router.ts';
import { pagesUrl, takesApplications } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { showMemberExport } from './export-members.tsx';
import { type Member, memberName, pageState } from './labels.ts';
import { LeaverButtons, SelectAllLeavers, SelectedLeavers } from './leaver-actions.tsx';
import { MEMBER_ACTIONS, type MemberAction, actionLabel } from './member-actions.tsx';
import { MemberFace } from './member-face.tsx';
import { MemberState } from './member-state.tsx';
import { MemberScreen } from './member.tsx';
import './members.css';
import { SearchInput } from './search-input.tsx';
import type { Selection } from './selection.tsx';
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

const LINKS = [
  isOn('invitations') && {
    label: t('Invitations'),
    iconPath: ICON_PATHS.user,
    path: 'operator/members/invitations',
  },
  isOn('messages') && {
    label: t('Write to members'),
    iconPath: ICON_PATHS.mail,
    path: 'operator/members/messages',
  },
].filter((link) => link !== false);

export function Members() {
  const [, , id] = currentPath.value.split('/');
  // Mails of 0.3.1 link to `applications`.
  if (id === 'waiting' || id === 'applications')
    return (
      <>
        <Header onExport={() => void showMemberExport({ state: 'waiting' }, t('Waiting'))} />
        <Tabs value="operator/members/waiting" />
        <WaitingList />
      </>
    );
  return id ? <MemberScreen key={id} id={id} /> : <MemberList />;
}

/** Only on a server where people can wait. */
function Tabs({ value }: { value: string }) {
  const count = countToDo('applicationsWaiting');
  if (!takesApplications && count === 0) return null;
  return (
    <SegmentedControl
      label={t('Which members')}
      look="tabs"
      value={value}
      options={[
        ['operator/members', t('Members')],
        ['operator/members/waiting', `${t('Waiting')} ${count || ''}`],
      ]}
      onValue={(path) => navigate(path)}
    />
  );
}

function MemberList() {
  const search = query.value.get('search') ?? '';
  const requested = query.value.get('state');
  const [state, title, emptyText] = FILTERS.find(([value]) => value === requested) ?? FILTERS[0];
  const filter = { search: search || undefined, state: state === 'all' ? undefined : state };
  const list = useBatches(
    (cursor) => owner.members.listMembers({ ...filter, ...cursor }),
    ({ members }) => members,
    [search, state],
  );
  const counts = useAsync(async () => (await owner.server.getServer()).accounts);
  const selection = useSignal<readonly string[]>([]);
  const isOfLeavers = state === 'left_group';
  const reload = () => {
    selection.value = [];
    list.loaded.reload();
    counts.reload();
  };
  return (
    <>
      <Header total={counts.value?.total} onExport={() => void showMemberExport(filter, title)} />
      <Tabs value="operator/members" />
      <Filters search={search} state={state} counts={counts.value} />
      <section class="card member-list">
        <BatchList list={list} empty={<NoMembers search={search} state={state} text={emptyText} />}>
          {(members) => (
            <>
              {isOfLeavers && <SelectAllLeavers leavers={members} selection={selection} />}
              <MemberTable
                members={members}
                onChange={reload}
                selection={isOfLeavers ? selection : undefined}
              />
            </>
          )}
        </BatchList>
      </section>
      {isOfLeavers && (
        <SelectedLeavers leavers={list.rows} selection={selection} onChange={reload} />
      )}
    </>
  );
}

function Header({ total, onExport }: { total?: number | undefined; onExport: () => void }) {
  const { host } = new URL(pagesUrl);
  return (
    <ScreenHeader
      title={t('Members')}
      subtitle={
        total === undefined
          ? host
          : t('{total, plural, one {# person} other {# people}} at {host}', { total, host })
      }
    >
      {LINKS.map(({ label, path }) => (
        <a key={path} class="button only-wide" href={dashboardHref(path)}>
          {label}
        </a>
      ))}
      <button type="button" class="only-wide" onClick={onExport}>
        {t('Export')}
      </button>
      {isOn('invitations') && (
        <a class="button primary" href={dashboardHref('operator/members/add')}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add members')}
        </a>
      )}
      <div class="only-narrow">
        <Menu
          label={t('More')}
          items={() => [
            ...LINKS.map(({ path, ...link }) => ({ ...link, run: () => navigate(path) })),
            { label: t('Export'), iconPath: ICON_PATHS.download, run: onExport },
          ]}
        />
      </div>
    </ScreenHeader>
  );
}

function Filters({
  search,
  state,
  counts,
}: {
  search: string;
  state: State;
  counts: Readonly<Record<Exclude<State, 'all'> | 'total', number>> | undefined;
}) {
  return (
    <div class="row filters">
      <SearchInput
        label={t('Search members')}
        placeholder={t('Name, email or ID')}
        search={search}
        onSearch={(next) => applyFilter(next, state)}
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
              aria-pressed={state === value}
              onClick={() => applyFilter(search, value)}
            >
              {title} <span class="muted">{count}</span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

function NoMembers({ search, state, text }: { search: string; state: State; text: string }) {
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
        <button type="button" onClick={() => applyFilter('', state)}>
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

function applyFilter(search: string, state: State): void {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state !== 'all') params.set('state', state);
  navigate(`operator/members${params.size > 0 ? `?${params}` : ''}`, { replace: true });
}

function MemberTable({
  members,
  onChange,
  selection,
}: {
  members: readonly Member[];
  onChange: () => void;
  /** If given, rows have buttons to suspend them. */
  selection: Selection | undefined;
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
        {
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
        },
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
        {
          title: t('Joined'),
          cellClass: 'member-joined',
          cell: ({ created_at }) => <LocalDate time={created_at} />,
        },
      ]}
      actions={(member) =>
        member.state !== 'deleting' && (
          <div class="row">
            {selection && MEMBER_ACTIONS.suspend.isFor(member) && (
              <LeaverButtons member={member} selection={selection} onChange={onChange} />
            )}
            <MemberMenu member={member} onChange={onChange} />
          </div>
        )
      }
    />
  );
}

/** Nothing for an active member with a visible page. */
function UnusualState({ member }: { member: Member }) {
  const { open_reports: count, state, operator, page_visible, left_group } = member;
  const isActive = state === 'active';
  return (
    <>
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
