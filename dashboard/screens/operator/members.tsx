import { owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { dashboardHref, currentPath, navigate, query } from '#dashboard/router.ts';
import { ACCOUNT_ACTIONS, type AccountAction, actionLabel } from './account-actions.tsx';
import { AccountFace } from './account-face.tsx';
import { AccountState } from './account-state.tsx';
import { AddMembers } from './add-members.tsx';
import { Invitations } from './invitations.tsx';
import { Member } from './member.tsx';
import { SearchInput } from './search-input.tsx';
import './operator.css';
import { t } from '#dashboard/translate.ts';
import { type Account, formatAmount, accountName, pageState } from './labels.ts';

const FILTERS = [
  ['all', t('All')],
  ['suspended', t('Suspended or hidden')],
  ['operators', t('Operators')],
  ['unseen', t('Not seen')],
] as const;

export function Members() {
  const [, , id] = currentPath.value.split('/');
  if (id === 'invitations') return <Invitations />;
  if (id === 'add') return <AddMembers />;
  return id ? <Member key={id} id={id} /> : <MemberList />;
}

function MemberList() {
  const search = query.value.get('search') ?? '';
  const requested = query.value.get('state');
  const [state] = FILTERS.find(([value]) => value === requested) ?? FILTERS[0];
  const filter = { ...(search && { search }), ...(state !== 'all' && { state }) };
  const list = useBatches(
    (cursor) => owner.members.listMembers({ ...filter, ...cursor }),
    ({ members: accounts }) => accounts,
    [search, state],
  );
  const counts = useAsync(async () => (await owner.server.getServer()).accounts);
  const reload = () => {
    list.loaded.reload();
    counts.reload();
  };
  return (
    <>
      <Header total={counts.value?.total} />
      <Filters search={search} state={state} counts={counts.value} />
      <section class="card operator-members" aria-label={t('Members')}>
        <BatchList list={list} empty={<NoMembers search={search} state={state} />}>
          {(accounts) => <AccountTable accounts={accounts} onChange={reload} />}
        </BatchList>
      </section>
    </>
  );
}

function Header({ total }: { total: number | undefined }) {
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
      <a class="button" href={dashboardHref('operator/members/invitations')}>
        {t('Invitations')}
      </a>
      <a class="button primary" href={dashboardHref('operator/members/add')}>
        <Icon path={ICON_PATHS.plus} />
        {t('Add members')}
      </a>
    </ScreenHeader>
  );
}

function Filters({
  search,
  state,
  counts,
}: {
  search: string;
  state: keyof typeof COUNTS;
  counts: Readonly<Record<(typeof COUNTS)[keyof typeof COUNTS], number>> | undefined;
}) {
  return (
    <div class="row">
      <SearchInput
        label={t('Search members')}
        placeholder={t('Name, email or ID')}
        search={search}
        onSearch={(next) => applyFilter(next, state)}
      />
      <div class="row operator-states" role="group" aria-label={t('Which members')}>
        {FILTERS.map(([value, title]) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={state === value}
            onClick={() => applyFilter(search, value)}
          >
            {title} <span class="muted">{counts?.[COUNTS[value]]}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

const COUNTS = {
  all: 'total',
  suspended: 'suspended',
  operators: 'operators',
  unseen: 'unseen',
} as const;
const EMPTY_TEXTS = {
  all: '',
  suspended: t('Nobody is suspended.'),
  operators: t('Open a member to make an operator of them.'),
  unseen: t('Everyone has been here.'),
};

function NoMembers({ search, state }: { search: string; state: keyof typeof EMPTY_TEXTS }) {
  return (
    <Empty icon={ICON_PATHS.user} title={t('No members found')}>
      <p class="muted">
        {search
          ? t('Try a part of a name or email address, or an account ID.')
          : EMPTY_TEXTS[state]}
      </p>
      {search && (
        <a
          class="button"
          href={dashboardHref(`operator/members/invitations?${new URLSearchParams({ search })}`)}
        >
          {t('Search invitations')}
        </a>
      )}
    </Empty>
  );
}

function applyFilter(search: string, state: string): void {
  const params = new URLSearchParams({
    ...(search && { search }),
    ...(state !== 'all' && { state }),
  });
  navigate(`operator/members${params.size > 0 ? `?${params}` : ''}`, { replace: true });
}

function AccountTable({
  accounts,
  onChange,
}: {
  accounts: readonly Account[];
  onChange: () => void;
}) {
  return (
    <Table
      caption={t('Members')}
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Member'),
          cell: (account) => <MemberName account={account} />,
        },
        {
          title: t('State'),
          cell: (account) => <StateAndReports account={account} />,
        },
        {
          title: t('Page'),
          cell: pageState,
        },
        {
          title: t('Last seen'),
          cell: ({ last_seen_at }) =>
            last_seen_at ? (
              <TimeAgo time={last_seen_at} />
            ) : (
              <span class="muted">{t('Not seen')}</span>
            ),
        },
        { title: t('Joined'), cell: ({ created_at }) => <LocalDate time={created_at} /> },
        {
          title: t('Storage'),
          isNumber: true,
          cell: ({ picture_bytes }) => formatAmount('bytes', picture_bytes),
        },
        {
          title: t('Actions'),
          isTitleHidden: true,
          cell: (account) =>
            account.state !== 'deleting' && <AccountMenu account={account} onChange={onChange} />,
        },
      ]}
    />
  );
}

function MemberName({ account }: { account: Account }) {
  return (
    <div class="operator-member">
      <AccountFace account={account} />
      <div>
        <a class="strong" href={dashboardHref(`operator/members/${account.id}`)}>
          {account.page_title ?? accountName(account)}
        </a>
        <div class="hint">
          {[account.page_title && accountName(account), account.email].filter(Boolean).join(' · ')}
        </div>
      </div>
    </div>
  );
}

function StateAndReports({ account }: { account: Account }) {
  const { open_reports: count, state, operator } = account;
  return (
    <span class="row">
      {(count === 0 || state !== 'active' || operator) && <AccountState account={account} />}
      {count > 0 && (
        <span class="pill warn">
          {t('{count, plural, one {# report} other {# reports}}', { count })}
        </span>
      )}
    </span>
  );
}

function AccountMenu({ account, onChange }: { account: Account; onChange: () => void }) {
  const actions: AccountAction[] = Object.values(ACCOUNT_ACTIONS);
  const items = () =>
    actions
      .filter((action) => action.isFor(account))
      // The screen of the member can also hide a page before it is published.
      .filter((action) => action !== ACCOUNT_ACTIONS.hide || account.page_visible)
      .map((action) => ({
        label: actionLabel(action, account),
        iconPath: action.iconPath,
        isDangerous: action === ACCOUNT_ACTIONS.delete,
        run: () => action.run(account, onChange),
      }));
  return <Menu label={t('More for {name}', { name: accountName(account) })} items={items} />;
}
