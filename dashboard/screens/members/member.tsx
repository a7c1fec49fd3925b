import { useSignal } from '@preact/signals';
import { USAGE_LABELS, type UsageKind } from '#contract/shared/usage-kinds.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Meter } from '#dashboard/components/meter.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { isOn } from '#dashboard/facts.ts';
import { accountTitle } from '#dashboard/kept-accounts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { currentAccountId, pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { showGroupsOf } from '../groups/assign-groups.tsx';
import { GroupPill } from '../groups/group-pill.tsx';
import { ReportsCard } from '../reports/reports.tsx';
import { formatAmount, memberName, MEMBERS_SCREEN, pageState } from './labels.ts';
import { MEMBER_ACTIONS } from './member-actions.tsx';
import { MemberActivity } from './member-activity.tsx';
import { Help, HeldBackNames, Role, SuspendOrDelete, Suspension } from './member-cards.tsx';
import { MemberFace } from './member-face.tsx';
import { MemberState } from './member-state.tsx';
import './member.css';
import './members.css';
import { hiddenPageHref, PageCard } from './page-card.tsx';

type MemberDetails = ResponseOf<typeof owner.members.getMember>;

export function MemberScreen({ id }: { id: string }) {
  const details = useAsync(() => owner.members.getMember({ account_id: id }), [id]);
  usePolling(details.value?.member.pending_email ? 'waiting' : undefined, details.poll);
  const state = details.value?.member.state;
  const isChangeable = state !== 'deleting' && state !== 'waiting' && id !== currentAccountId.value;
  // In the keys of reports and audit trail, so that each change reloads them.
  const changeCount = useSignal(0);
  const reload = () => {
    changeCount.value += 1;
    details.reload();
  };
  return (
    <>
      <Header member={details.value?.member} />
      <AsyncContent state={details}>
        {(loaded) => (
          <div class="main-and-side">
            <div>
              {(loaded.member.suspended_at || loaded.member.page_suspended) && (
                <Suspension member={loaded.member} onChange={reload} />
              )}
              <MemberFacts {...loaded} onChange={reload} />
              {isOn('reports') && (
                <ReportsCard
                  key={`reports ${changeCount.value}`}
                  accountId={id}
                  onClosed={details.reload}
                />
              )}
              {isChangeable && <Help member={loaded.member} onChange={reload} />}
              {loaded.held_names.length > 0 && (
                <HeldBackNames names={loaded.held_names} onReleased={reload} />
              )}
              {isOn('audit') && (
                <MemberActivity key={`audit ${changeCount.value}`} accountId={id} />
              )}
            </div>
            <div>
              {loaded.member.state === 'active' && !loaded.member.kept && (
                <Role member={loaded.member} onChange={reload} />
              )}
              <Usage usage={loaded.usage} />
              {isChangeable && !loaded.member.operator && (
                <SuspendOrDelete member={loaded.member} onChange={reload} />
              )}
            </div>
          </div>
        )}
      </AsyncContent>
    </>
  );
}

function Header({ member }: { member: MemberDetails['member'] | undefined }) {
  if (!member) return <ScreenHeader title={t('Account')} parent={MEMBERS_SCREEN} />;
  const name = memberName(member);
  const isHidden = member.page_suspended || member.suspended_at !== null;
  return (
    <ScreenHeader
      title={name}
      parent={MEMBERS_SCREEN}
      heading={
        <span class="member-name">
          <MemberFace member={member} />
          <span>
            {member.page_title ?? name}
            {member.page_title && <small>{name}</small>}
          </span>
          <MemberState member={member} activeClass="pill good" />
          {member.left_group && <span class="pill warn">{t('Left the group')}</span>}
        </span>
      }
    >
      {(isHidden || member.page_visible || member.page_for_members) && member.display_name && (
        <a
          class="button"
          href={isHidden ? hiddenPageHref(member.id) : `${pagesUrl}/@${member.display_name}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('View page')}
          <Icon path={ICON_PATHS.externalLink} />
        </a>
      )}
      {member.email && (
        <a class="button" href={`mailto:${member.email}`}>
          <Icon path={ICON_PATHS.mail} />
          {t('Write')}
        </a>
      )}
    </ScreenHeader>
  );
}

function MemberFacts({
  member,
  keepers,
  onChange,
}: Pick<MemberDetails, 'member' | 'keepers'> & { onChange: () => void }) {
  return (
    <section class="card row member-summary" aria-label={t('Member')}>
      {member.page_visible && member.display_name && <PageCard name={member.display_name} />}
      <dl class="titled-values">
        <dt>{t('Page')}</dt>
        <dd>{pageState(member)}</dd>
        <dt>{t('Email')}</dt>
        <dd>
          {member.email ?? (member.pending_email === null && t('None'))}
          {member.pending_email !== null && <PendingEmail member={member} onChange={onChange} />}
        </dd>
        {isOn('groups') && <MemberGroups member={member} onChange={onChange} />}
        {keepers.length > 0 && <MemberKeepers keepers={keepers} />}
        <dt>{t('Joined')}</dt>
        <dd>
          <LocalDate time={member.created_at} />
        </dd>
        <dt>{t('Last seen')}</dt>
        <dd>{member.last_seen_at ? <TimeAgo time={member.last_seen_at} /> : t('Not seen')}</dd>
        <dt>ID</dt>
        <dd>
          <code>{member.id}</code>
        </dd>
      </dl>
    </section>
  );
}

function MemberKeepers({ keepers }: Pick<MemberDetails, 'keepers'>) {
  return (
    <>
      <dt>{t('Keepers')}</dt>
      <dd class="row">
        {keepers.map((keeper) => (
          <span key={keeper.account_id}>
            <a href={dashboardHref(`operator/members/${keeper.account_id}`)}>
              {accountTitle(keeper)}
            </a>{' '}
            {keeper.owner && <span class="pill">{t('Owner')}</span>}
          </span>
        ))}
      </dd>
    </>
  );
}

function MemberGroups({ member, onChange }: Parameters<typeof PendingEmail>[0]) {
  return (
    <>
      <dt>{t('Groups')}</dt>
      <dd class="row">
        {member.groups.map((group) => (
          <GroupPill key={group.id} {...group} />
        ))}
        {member.groups.length === 0 && t('None')}
        {member.state !== 'waiting' && member.state !== 'deleting' && (
          <button type="button" class="link" onClick={() => showGroupsOf([member], onChange)}>
            {t.rich('Change<hidden> groups</hidden>', { hidden: visuallyHidden })}
          </button>
        )}
      </dd>
    </>
  );
}

function PendingEmail({
  member,
  onChange,
}: {
  member: MemberDetails['member'];
  onChange: () => void;
}) {
  const { id: account_id, email: current, pending_email: pending } = member;
  const send = async (email: string) => {
    const change = owner.members.updateMemberEmail({ account_id, email });
    if (!(await withErrorMessage(change))) return;
    showMessage(
      email === pending
        ? t('Sent another link to {email}.', { email })
        : t('Cancelled the change.'),
    );
    onChange();
  };
  return (
    <>
      <p class="muted">{t('{email} is not confirmed yet', { email: pending! })}</p>
      {MEMBER_ACTIONS.email.isFor(member) && (
        <div class="row">
          <button type="button" class="link" onClick={() => void send(pending!)}>
            {t('Send again')}
          </button>
          {current !== null && (
            <button type="button" class="link" onClick={() => void send(current)}>
              {t('Cancel the change')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function Usage({ usage }: Pick<MemberDetails, 'usage'>) {
  const used = usage.filter(({ used: amount }) => amount > 0);
  return (
    <section class="card">
      <h2>{t('Usage')}</h2>
      {used.length === 0 ? (
        <p class="muted">{t('Nothing used yet')}</p>
      ) : (
        <dl class="member-usage">{used.map(UsageLine)}</dl>
      )}
    </section>
  );
}

function UsageLine({ kind, used, allowed }: MemberDetails['usage'][number]) {
  return (
    <div key={kind} class="row between">
      <dt>{USAGE_LABELS[kind as UsageKind]}</dt>
      <dd>
        <strong>{formatAmount(kind, used)}</strong>{' '}
        {allowed !== null && (
          <span class="muted">{t('of {allowed}', { allowed: formatAmount(kind, allowed) })}</span>
        )}
      </dd>
      {allowed !== null && (
        <dd>
          <Meter parts={[used]} total={allowed} />
        </dd>
      )}
    </div>
  );
}
