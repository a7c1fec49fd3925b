import type { Scope } from '#contract/scope.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { calendarDaysUntil } from '#dashboard/components/format-time-ago.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo, LocalDate } from '#dashboard/components/time.tsx';
import { t } from '#dashboard/translate.ts';
import type { Project } from './create-key-form.tsx';

type Key = ResponseOf<typeof owner.keys.listKeys>['keys'][number];

const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  all: t('Full access'),
  read: t('Read only'),
  page: t('Change the page'),
  metrics: t('Send metrics'),
  operator: t('scope|Operator'),
};
const SCOPE_COLORS = { all: 'warn', read: '', page: '', metrics: '', operator: 'warn' } as const;
/** Keys that expire within this time are highlighted. */
const EXPIRES_SOON_DAYS = 30;
/** Keys unused for this long get a hint to revoke them. */
const UNUSED_DAYS = 30;

export function KeyTable({
  keys,
  projects,
  newId,
  onRevoked,
}: {
  keys: readonly Key[];
  projects: readonly Project[];
  newId: string | undefined;
  onRevoked: () => void;
}) {
  return (
    <Table
      caption={t('Keys')}
      rows={keys}
      rowKey={(key) => key.id}
      columns={[
        {
          title: t('Name'),
          cell: (key) => (
            <>
              <div class="row">
                <span class="strong">{key.label ?? t('Unnamed key')}</span>
                {key.id === newId && <span class="pill good">{t('New')}</span>}
                {key.current && <span class="pill good">{t('This session')}</span>}
              </div>
              <small>
                <code>{key.id}</code>
              </small>
            </>
          ),
        },
        {
          title: t('Scope'),
          cell: ({ scope, project_id }) => (
            <>
              <span class={`pill ${SCOPE_COLORS[scope as Scope]}`}>
                {SCOPE_LABELS[scope as Scope]}
              </span>
              {project_id !== null && (
                <div class="hint">
                  {t('only to {project}', {
                    project: projects.find(({ id }) => id === project_id)?.name ?? project_id,
                  })}
                </div>
              )}
            </>
          ),
        },
        { title: t('Created'), cell: (key) => <LocalDate time={key.created_at} /> },
        { title: t('Last used'), cell: (key) => <LastUse apiKey={key} /> },
        { title: t('Expires'), cell: (key) => <Expiry expiresAt={key.expires_at} /> },
      ]}
      actions={(key) => (
        <button
          type="button"
          class="quiet danger"
          aria-label={t('Revoke {name}', { name: keyName(key) })}
          onClick={() => void revoke(key, onRevoked)}
        >
          {t('Revoke')}
        </button>
      )}
    />
  );
}

/** Keys without a name differ by the end of their id. */
export function keyName({ label, id }: Pick<Key, 'label' | 'id'>): string {
  return label ?? `${t('Unnamed key')} …${id.slice(-4)}`;
}

async function revoke(key: Key, onRevoked: () => void): Promise<void> {
  const { id: key_id, current } = key;
  const name = keyName(key);
  const isConfirmed = await confirm({
    title: t('Revoke {name}?', { name }),
    text: current
      ? t(
          'You signed in with this key, so you will be signed out. Programs that use it stop working at once. You cannot undo this.',
        )
      : t('Programs that use it stop working at once. You cannot undo this.'),
    action: t('Revoke'),
  });
  if (!isConfirmed || !(await withErrorMessage(owner.keys.revokeKey({ key_id })))) return;
  showMessage(t('Revoked {name}.', { name }));
  onRevoked();
}

function LastUse({ apiKey: { created_at, last_used_at } }: { apiKey: Key }) {
  const days = (Date.now() - Date.parse(last_used_at ?? created_at)) / DAY_MS;
  return (
    <>
      {last_used_at === null ? t('Never used') : <TimeAgo time={last_used_at} />}
      {days > UNUSED_DAYS && <div class="hint">{t('Not needed? Revoke it.')}</div>}
    </>
  );
}

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return <>{t('expires|Never')}</>;
  const days = calendarDaysUntil(expiresAt);
  if (days > EXPIRES_SOON_DAYS) return <LocalDate time={expiresAt} />;
  return (
    <span class="pill warn">
      {days > 0
        ? t('{days, plural, one {In # day} other {In # days}}', { days })
        : Date.parse(expiresAt) > Date.now()
          ? t('Today')
          : t('Expired')}
    </span>
  );
}
