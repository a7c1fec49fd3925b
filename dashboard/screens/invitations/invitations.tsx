import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Meter } from '#dashboard/components/meter.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { GroupFilters } from '../groups/group-filters.tsx';
import { loadGroups } from '../groups/load-groups.ts';
import { MEMBERS_SCREEN } from '../members/labels.ts';
import { SearchInput } from '../members/search-input.tsx';
import { members } from './add-members.tsx';
import { createLink, LinkCard, type NewLink } from './invitation-link.tsx';
import './invitations.css';
import { InvitationTable, resend } from './invitation-table.tsx';
import '../members/members.css';

type InvitationCounts = ResponseOf<typeof owner.invitations.listInvitations>['counts'];
type State = keyof InvitationCounts;

const STATES: readonly (readonly [state: State, title: string])[] = [
  ['waiting', t('Waiting')],
  ['sent', t('Sent')],
  ['failed', t('Failed')],
  ['accepted', t('invitation|Joined')],
  ['open', t('Open links')],
  ['expired', t('Expired')],
];

export function Invitations() {
  const state = STATES.find(([name]) => name === query.value.get('state'))?.[0];
  const batch_id = query.value.get('batch') ?? undefined;
  const search = query.value.get('search') ?? '';
  const group_id = query.value.get('group') ?? undefined;
  const filter: Filter = { state, batch_id, group_id, search: search || undefined };
  const list = useBatches(
    // While a list loads, and after a failed load, the one before is shown.
    async (cursor) => ({
      ...(await owner.invitations.listInvitations({ ...filter, ...cursor })),
      filter,
    }),
    ({ invitations }) => invitations,
    [state, batch_id, group_id, search],
  );
  const { loaded } = list;
  const link = useSignal<NewLink>();
  const counts = loaded.value?.counts;
  const isSending = counts !== undefined && counts.waiting > 0;
  // A reload drops the batches that “Show more” has added.
  const pace = isSending ? 'progress' : 'background';
  usePolling(list.batches.length < 2 ? pace : undefined, loaded.poll);
  const create = () =>
    createLink((created) => {
      link.value = created;
      loaded.reload();
    });
  useEffect(() => {
    if (query.peek().get('create') === 'link') create();
  }, []);
  return (
    <>
      <ScreenHeader title={t('Invitations')} parent={MEMBERS_SCREEN}>
        <button type="button" onClick={create}>
          <Icon path={ICON_PATHS.qr} />
          {t('Create link')}
        </button>
        <a
          class={link.value ? 'button' : 'button primary'}
          href={dashboardHref('operator/members/add')}
        >
          <Icon path={ICON_PATHS.plus} />
          {t('Add members')}
        </a>
      </ScreenHeader>
      {link.value && <LinkCard link={link.value} onClose={() => (link.value = undefined)} />}
      {loaded.value && canMailLoginLinks && (
        <InvitationProgress
          counts={loaded.value.counts}
          resendableCount={loaded.value.resendable}
          filter={loaded.value.filter}
          onResent={loaded.reload}
        />
      )}
      <Filters filter={filter} counts={counts} />
      <section class="card">
        <BatchList
          list={list}
          empty={
            <NoInvitations search={search} isFiltered={Boolean(state ?? batch_id ?? group_id)} />
          }
        >
          {(invitations) => <InvitationTable invitations={invitations} onChange={loaded.reload} />}
        </BatchList>
      </section>
    </>
  );
}

function NoInvitations({ search, isFiltered }: { search: string; isFiltered: boolean }) {
  if (isFiltered && !search)
    return <Empty icon={ICON_PATHS.mail} title={t('No matching invitations')} />;
  return search ? (
    <Empty icon={ICON_PATHS.search} title={t('No invitation for “{search}”', { search })}>
      <p class="muted">{t('The search looks in names, addresses and notes.')}</p>
    </Empty>
  ) : (
    <Empty icon={ICON_PATHS.mail} title={t('No invitations')}>
      <p class="muted">{t('Invite people from a list, or with a link for one or more people.')}</p>
    </Empty>
  );
}

/** Filters that are not set are undefined. */
interface Filter {
  state: State | undefined;
  batch_id: string | undefined;
  group_id: string | undefined;
  search: string | undefined;
}

function applyFilter({ batch_id, group_id, ...filter }: Filter): void {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ batch: batch_id, group: group_id, ...filter }))
    if (value) params.set(name, value);
  navigate(`operator/members/invitations?${params}`, { replace: true });
}

function Filters({ filter, counts }: { filter: Filter; counts: InvitationCounts | undefined }) {
  const { state, batch_id, group_id } = filter;
  const groups = useAsync(loadGroups).value ?? [];
  const chips = STATES.filter(([name]) => name === state || (counts?.[name] ?? 0) > 0);
  const hasChoice = chips.length > 1 || (state ?? batch_id ?? group_id ?? groups[0]) !== undefined;
  return (
    <div class="row">
      <SearchInput
        label={t('Search invitations')}
        placeholder={t('Name or email')}
        search={filter.search ?? ''}
        onSearch={(search) => applyFilter({ ...filter, search })}
      />
      {hasChoice && (
        <div class="row member-filters" role="group" aria-label={t('State of invitations')}>
          <FilterChip
            isActive={!state && !group_id}
            filter={{ ...filter, state: undefined, group_id: undefined }}
          >
            {batch_id ? t('This list') : t('All')}
          </FilterChip>
          {chips.map(([name, title]) => (
            <FilterChip key={name} isActive={state === name} filter={{ ...filter, state: name }}>
              {title} <span class="muted">{counts?.[name]}</span>
            </FilterChip>
          ))}
          <GroupFilters
            groups={groups}
            group={group_id}
            onChoose={(id) => applyFilter({ ...filter, group_id: id })}
          />
          {batch_id && (
            <FilterChip isActive={false} filter={{ ...filter, batch_id: undefined }}>
              {t('All lists')}
            </FilterChip>
          )}
        </div>
      )}
    </div>
  );
}

function FilterChip({
  isActive,
  filter,
  children,
}: {
  isActive: boolean;
  filter: Filter;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={isActive} onClick={() => applyFilter(filter)}>
      {children}
    </button>
  );
}

const RESEND_LABELS = {
  sent: (count: number) =>
    t('{count, plural, one {Send it again} other {Send all # again}}', { count }),
  failed: (count: number) =>
    t('{count, plural, one {Send the failed one again} other {Send all # failed again}}', {
      count,
    }),
  expired: (count: number) =>
    t('{count, plural, one {Send the expired one again} other {Send all # expired again}}', {
      count,
    }),
};

/**
 * How many have joined, and a button that sends all unanswered invitations again, or, if the list
 * shows failed or expired invitations, all of those. Only if the list shows whom it reaches.
 */
function InvitationProgress({
  // Links have no addressee who could have answered.
  counts: { open: _links, ...counts },
  resendableCount,
  filter: { state, batch_id, group_id, search },
  onResent,
}: {
  counts: InvitationCounts;
  resendableCount: number;
  filter: Filter;
  onResent: () => void;
}) {
  const { accepted, sent, waiting, failed } = counts;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const unsentCount = members.value.filter((member) => member.state === 'problem').length;
  const resendState = state === 'failed' || state === 'expired' ? state : 'sent';
  const isShown = search === undefined && (state ?? resendState) === resendState;
  return (
    <section class="card" aria-label={t('Progress')}>
      <div class="row between">
        <p class="invitation-answers">
          <strong>
            {t(
              '{accepted, plural, one {# of {total, number} has joined.} other {# of {total, number} have joined.}}',
              { accepted, total },
            )}
          </strong>{' '}
          {sent > 0 && (
            <span class="muted">
              {t('{sent, plural, one {One has} other {# have}} not answered yet.', { sent })}
            </span>
          )}
        </p>
        {isShown && resendableCount > 0 && (
          <button
            type="button"
            onClick={() =>
              void resendAll(resendableCount, { state: resendState, batch_id, group_id }, onResent)
            }
          >
            <Icon path={ICON_PATHS.refresh} />
            {RESEND_LABELS[resendState](resendableCount)}
          </button>
        )}
      </div>
      {accepted > 0 && <Meter parts={[accepted]} total={total} label={t('invitation|Joined')} />}
      <p class="hint">
        {waiting > 0
          ? t(
              '{waiting, plural, one {One mail is} other {# mails are}} still to be sent. You can close this screen; sending continues.',
              { waiting },
            )
          : failed > 0 &&
            t(
              'The mail server refused {count, plural, one {one mail} other {# mails}}. See the reason in its row.',
              { count: failed },
            )}{' '}
        {isShown &&
          resendableCount === 0 &&
          counts[resendState] > 0 &&
          t('All were sent within the last hour. You can still resend one from its row.')}
      </p>
      {unsentCount > 0 && (
        <p role="status">
          {t.rich('Lines that were not sent: {count}. <link>Show the list</link>', {
            count: unsentCount,
            link: (children) => <a href={dashboardHref('operator/members/add')}>{children}</a>,
          })}
        </p>
      )}
    </section>
  );
}

async function resendAll(
  count: number,
  selection: Parameters<typeof resend>[0],
  onResent: () => void,
): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Send {count, plural, one {one invitation} other {# invitations}} again?', { count }),
    text: t(
      'Each person gets a new link, and the old one stops working. People who got the mail within the last hour are left out. New links are valid for at least 14 days.',
    ),
    action: t('Send again'),
    isDangerous: false,
  });
  if (isConfirmed) await resend(selection, onResent);
}
