import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useBatches } from '#dashboard/components/use-batches.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { BackToMembers } from './back-to-members.tsx';
import { CreateLink, LinkCard, type NewLink } from './invitation-link.tsx';
import { InvitationTable, resend } from './invitation-table.tsx';
import { ShowMore } from './show-more.tsx';
import './members.css';

type Response = ResponseOf<typeof owner.operator.listInvitations>;
type State = keyof Response['counts'];

const REFRESH_MS = 2_000;
/** In one request. */
const MAX_RESENT = 200;

const STATES: readonly (readonly [state: State, title: string])[] = [
  ['waiting', t('Waiting')],
  ['sent', t('No answer')],
  ['failed', t('Failed')],
  ['accepted', t('invitation|Joined')],
  ['open', t('Open links')],
  ['expired', t('Expired')],
];

export function Invitations() {
  const state = STATES.find(([name]) => name === query.value.get('state'))?.[0];
  const batch_id = query.value.get('batch') ?? undefined;
  const filter = { ...(state && { state }), ...(batch_id && { batch_id }) };
  const { loaded, batches, loadMore } = useBatches(
    (cursor) => owner.operator.listInvitations({ ...filter, ...cursor }),
    [state, batch_id],
  );
  const isCreating = useSignal(query.value.get('create') === 'link');
  const link = useSignal<NewLink>();
  const counts = loaded.value?.counts;
  const invitations = batches.flatMap((batch) => batch.invitations);
  useReloading(counts !== undefined && counts.waiting > 0, loaded.reload, [state, batch_id]);
  const close = () => (isCreating.value = false);
  return (
    <>
      <BackToMembers />
      <ScreenHeader title={t('Invitations')}>
        <button type="button" onClick={() => (isCreating.value = true)}>
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
      {isCreating.value && (
        <Dialog title={t('Create an invitation link')} onCancel={close}>
          <CreateLink
            onCancel={close}
            onCreated={(created) => {
              close();
              link.value = created;
              loaded.reload();
            }}
          />
        </Dialog>
      )}
      {link.value && <LinkCard link={link.value} onClose={() => (link.value = undefined)} />}
      {batch_id && counts && canMailLoginLinks && <Progress counts={counts} />}
      <Filters state={state} batchId={batch_id} counts={counts} />
      <section class="card" aria-label={t('Invitations')}>
        <AsyncContent state={loaded}>
          {() =>
            invitations.length === 0 ? (
              <Empty icon={ICON_PATHS.mail} title={t('No invitations')}>
                <p class="muted">
                  {t('Invite people from a list, or with a link for one or more people.')}
                </p>
              </Empty>
            ) : (
              <>
                <InvitationTable invitations={invitations} onChange={loaded.reload} />
                <div class="row between member-more">
                  <ShowMore onMore={loadMore} />
                  {state && ['sent', 'failed', 'expired'].includes(state) && (
                    <ResendAll invitations={invitations} onDone={loaded.reload} />
                  )}
                </div>
              </>
            )
          }
        </AsyncContent>
      </section>
    </>
  );
}

/** Reloads while invitations are being sent. */
function useReloading(
  isSending: boolean,
  reload: () => void,
  filter: readonly (string | undefined)[],
): void {
  useEffect(() => {
    if (!isSending) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isSending, ...filter]);
}

function ResendAll({
  invitations,
  onDone,
}: {
  invitations: Response['invitations'];
  onDone: () => void;
}) {
  const ids = invitations
    .filter(({ email, state }) => email !== null && state !== 'accepted')
    .map(({ invitation_id }) => invitation_id)
    .slice(0, MAX_RESENT);
  if (ids.length < 2) return null;
  return (
    <button type="button" onClick={() => void resend(ids, onDone)}>
      <Icon path={ICON_PATHS.refresh} />
      {t('Send these {count} again', { count: ids.length })}
    </button>
  );
}

function Filters({
  state,
  batchId: batch_id,
  counts,
}: {
  state: State | undefined;
  batchId: string | undefined;
  counts: Response['counts'] | undefined;
}) {
  return (
    <div class="row" role="group" aria-label={t('State of invitations')}>
      <FilterChip
        title={batch_id ? t('This list') : t('All')}
        isActive={!state}
        filter={{ batch_id }}
      />
      {STATES.filter(([name]) => name === state || (counts?.[name] ?? 0) > 0).map(
        ([name, title]) => (
          <FilterChip
            key={name}
            title={title}
            count={counts?.[name]}
            isActive={state === name}
            filter={{ state: name, batch_id }}
          />
        ),
      )}
      {batch_id && <FilterChip title={t('All lists')} isActive={false} filter={{}} />}
    </div>
  );
}

function FilterChip({
  title,
  count,
  isActive,
  filter: { state, batch_id },
}: {
  title: string;
  count?: number | undefined;
  isActive: boolean;
  filter: { state?: string; batch_id?: string | undefined };
}) {
  const params = new URLSearchParams({
    ...(batch_id && { batch: batch_id }),
    ...(state && { state }),
  });
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isActive}
      onClick={() => navigate(`operator/members/invitations?${params}`, { replace: true })}
    >
      {title} {count !== undefined && <span class="count">{count}</span>}
    </button>
  );
}

function Progress({ counts }: { counts: Response['counts'] }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const done = total - counts.waiting;
  const sent = done - counts.failed;
  return (
    <section class="card" aria-label={t('Progress')}>
      <p>
        {t.rich(
          '<strong>{sent, number}</strong> <muted>of {total, plural, one {# invitation} other {# invitations}} sent</muted>',
          {
            sent,
            total,
            strong: (children) => <strong class="display-number">{children}</strong>,
            muted: (children) => <span class="muted">{children}</span>,
          },
        )}
      </p>
      <progress
        class="member-progress"
        value={done}
        max={total}
        aria-label={t('invitations|Sent')}
      />
      <p class="hint">
        {counts.waiting > 0
          ? t('You can close this screen; sending continues.')
          : counts.failed > 0
            ? t('The mail server refused {count, plural, one {one mail} other {# mails}}.', {
                count: counts.failed,
              })
            : t('All invitations were sent.')}
      </p>
    </section>
  );
}
