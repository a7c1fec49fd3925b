import { AUDIT_AREAS, type AuditArea } from '#contract/shared/audit-areas.ts';
import { EVENT_KINDS, type EventKind } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { formatCurl } from '#dashboard/api/call-samples.ts';
import { routes } from '#dashboard/api/routes.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { useBatches } from '#dashboard/components/batch-list.tsx';
import { Code } from '#dashboard/components/code.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { hasDeveloperTools, isOperator } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { keyName } from '../keys/key-table.tsx';
import { ActivityList } from './activity-list.tsx';
import './activity.css';
import { loadActivity, type Source } from './load-activity.ts';
import { auditSource, eventSource, requestSource } from './sources.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const EVENT_TITLES: Readonly<Record<EventKind, string>> = {
  page: t('Page'),
  mail: t('Mail'),
  login: t('Sign-in'),
  account: t('Account'),
  key: t('Keys'),
  chat: t('Chat'),
  alert: t('Alerts'),
  connection: t('Connections'),
  server: t('This server'),
};
const DEVELOPER_KINDS: ReadonlySet<string> = new Set(['key', 'chat', 'alert', 'connection']);

const AREA_TITLES: Readonly<Record<AuditArea, string>> = {
  members: t('Members'),
  invitations: t('Invitations'),
  messages: t('Sent messages'),
  groups: t('Groups'),
  addresses: t('Group addresses'),
  reports: t('Reports'),
  server: t('This server'),
  keys: t('Keys'),
  clients: t('Websites'),
};

interface Filter {
  /** A kind of events, `requests`, `audit`, `problems`, or empty for everything. */
  kind: string;
  /** Id of a key, or an area of the audit trail. */
  of: string;
}

export function Activity() {
  const filter = { kind: query.value.get('kind') ?? '', of: query.value.get('of') ?? '' };
  const { kind, of } = filter;
  const list = useBatches(
    ({ after }) => loadActivity(listSources(filter), after),
    ({ rows }) => rows,
    [kind, of, isOperator.value, hasDeveloperTools.value],
  );
  const isLive = kind === 'requests' && list.batches.length === 1;
  // Reloading would close the later batches.
  usePolling(isLive ? 'waiting' : undefined, list.loaded.poll);
  return (
    <>
      <ScreenHeader
        title={t('Activity')}
        subtitle={
          isOperator.value
            ? t('What happened on this server and to your account. Times are in {zone}.', { zone })
            : t('What happened to your page and account. Times are in {zone}.', { zone })
        }
      />
      <div class="row between">
        <KindChips kind={kind} />
        <FilterSelect {...filter} />
      </div>
      <section class="card" aria-label={t('Activity')}>
        <ActivityList list={list} empty={<Nothing {...filter} />} />
        {kind === 'requests' && <RequestNotes leftOut={list.batches[0]?.leftOut ?? 0} />}
      </section>
    </>
  );
}

const seesAudit = () => isOperator.value && isOn('audit');

function listSources({ kind, of }: Filter): Source[] {
  const type = EVENT_KINDS.find((name) => name === kind);
  const isProblems = kind === 'problems';
  // Other requests would bury everything else.
  const failed = kind !== 'requests';
  const area = AUDIT_AREAS.find((name) => name === of);
  return [
    (kind === '' || type || (isProblems && !of)) &&
      eventSource({ ...(type && { type }), ...(isProblems && { failed: true }) }),
    (!failed || ((kind === '' || isProblems) && hasDeveloperTools.value)) &&
      requestSource({ ...(failed && { failed }), ...(of && { key_id: of }) }),
    (kind === '' || kind === 'audit') && seesAudit() && auditSource({ action: area }),
  ].filter((source) => typeof source === 'object');
}

function show({ kind, of }: Filter): void {
  const params = new URLSearchParams({ ...(kind && { kind }), ...(of && { of }) }).toString();
  navigate(`activity${params && `?${params}`}`, { replace: true });
}

function KindChips({ kind }: { kind: string }) {
  const kinds = [
    ['', t('All')],
    (hasDeveloperTools.value || kind === 'requests') && ['requests', t('Requests')],
    seesAudit() && ['audit', t('Audit trail')],
    ['problems', t('Problems')],
  ].filter((chip) => Array.isArray(chip)) as [string, string][];
  return (
    <div class="row activity-kinds" role="group" aria-label={t('Kind of activity')}>
      {kinds.map(([name, title]) => (
        <button
          key={name}
          type="button"
          class={name === 'problems' ? 'chip activity-problems' : 'chip'}
          aria-pressed={name === kind}
          onClick={() => show({ kind: name, of: '' })}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** Narrows what the chips show. */
function FilterSelect(filter: Filter) {
  const { kind, of } = filter;
  if (kind === 'problems' && !hasDeveloperTools.value) return null;
  if (kind === 'problems' || kind === 'requests') return <KeySelect {...filter} />;
  if (kind === 'audit')
    return (
      <Select
        label={t('Kind of changes')}
        value={of}
        options={[['', t('Everything')], ...Object.entries(AREA_TITLES)]}
        onChange={(area) => show({ kind, of: area })}
      />
    );
  const kinds = Object.entries(EVENT_TITLES).filter(([name]) =>
    name === 'server' ? isOperator.value : !DEVELOPER_KINDS.has(name) || hasDeveloperTools.value,
  );
  return (
    <Select
      label={t('Kind of events')}
      value={kind}
      options={[['', t('Everything')], ...kinds]}
      onChange={(type) => show({ kind: type, of: '' })}
    />
  );
}

function KeySelect({ kind, of }: Filter) {
  const keys = useAsync(() => owner.keys.listKeys());
  const apps = useAsync(async () => (isOn('oauth') ? await owner.grants.listGrants() : undefined));
  const options = [
    ...(keys.value?.keys ?? []).map((key) => [key.id, keyName(key)] as const),
    ...(apps.value?.grants ?? [])
      .filter(({ client_kind }) => client_kind !== 'website')
      .map(({ id, client_name: name }) => [id, name] as const),
  ];
  return (
    <Select
      label={t('Key')}
      value={of}
      options={[['', t('Every key')], ...options]}
      onChange={(id) => show({ kind, of: id })}
    />
  );
}

function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, title: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      class="activity-select"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Nothing({ kind, of }: Filter) {
  if (kind === 'problems') return <Empty icon={ICON_PATHS.check} title={t('No problems')} />;
  if (kind === 'requests' && !of) return <NoRequests />;
  if (kind) return <Empty icon={ICON_PATHS.clock} title={t('Nothing of this kind yet')} />;
  return (
    <Empty icon={ICON_PATHS.clock} title={t('Quiet so far')}>
      <p class="muted">{t('Messages, changes to your page and sign-ins appear here.')}</p>
    </Empty>
  );
}

function NoRequests() {
  const [method, path] = routes['stats.getProjects'];
  return (
    <Empty icon={ICON_PATHS.api} title={t('No requests yet')}>
      <p class="muted">{t('Send one, and it appears here within seconds.')}</p>
      <Code text={formatCurl({ method, path })} label={t('example')} />
    </Empty>
  );
}

function RequestNotes({ leftOut }: { leftOut: number }) {
  return (
    <>
      {leftOut > 0 && (
        <p class="note">
          <span>
            {t(
              '{count, plural, one {# request was} other {# requests were}} left out, because many came at once.',
              { count: leftOut },
            )}
          </span>
        </p>
      )}
      <p class="hint">
        {t(
          'The last {count} failed and {count} other requests with your keys, for up to seven days. Above ten in a second, the next entry says how many are missing.',
          { count: LIMITS.keyRequests / 2 },
        )}
      </p>
    </>
  );
}
