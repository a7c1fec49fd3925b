import { LIMITS } from '#contract/shared/limits.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { type Endpoint, routes } from '#dashboard/api/routes.ts';
import { formatCurl } from '#dashboard/api/call-samples.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { Code } from '#dashboard/components/code.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { groupByDay } from '../events/group-by-day.ts';
import { keyName } from './key-table.tsx';
import './requests.css';

type KeyRequest = ResponseOf<typeof owner.keys.listRequests>['requests'][number];
type Key = ResponseOf<typeof owner.keys.listKeys>['keys'][number];

const timeFormat = new Intl.DateTimeFormat(t.locale, { timeStyle: 'medium' });

export function Requests({ keys }: { keys: readonly Key[] }) {
  const isFailedOnly = query.value.has('failed');
  const keyId = query.value.get('key') ?? '';
  const list = useBatches(
    (cursor) =>
      owner.keys.listRequests({
        ...(isFailedOnly && { failed: true }),
        ...(keyId && { key_id: keyId }),
        ...cursor,
      }),
    ({ requests }) => requests,
    [isFailedOnly, keyId],
  );
  const leftOut = list.batches[0]?.counts.left_out ?? 0;
  // Reloading would close the later batches.
  usePolling(list.batches.length > 1 ? undefined : 'waiting', list.loaded.reload);
  return (
    <section class="card key-requests" aria-label={t('Requests')}>
      <Filters
        keys={keys}
        isFailedOnly={isFailedOnly}
        keyId={keyId}
        counts={list.batches[0]?.counts}
      />
      <BatchList list={list} empty={<NoRequests isFiltered={isFailedOnly || keyId !== ''} />}>
        {(requests) => (
          <>
            {groupByDay(requests).map(({ title, events }) => (
              <section key={title}>
                <h3>{title}</h3>
                <ul class="row-list">
                  {events.map((request) => (
                    <RequestRow key={request.id} request={request} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )}
      </BatchList>
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
    </section>
  );
}

function Filters({
  keys,
  isFailedOnly,
  keyId,
  counts,
}: {
  keys: readonly Key[];
  isFailedOnly: boolean;
  keyId: string;
  counts: { all: number; failed: number } | undefined;
}) {
  const show = (failed: boolean, key: string) => {
    const params = [failed && 'failed', key && `key=${key}`].filter(Boolean).join('&');
    navigate(`keys/requests${params && `?${params}`}`, { replace: true });
  };
  return (
    <div class="row between">
      <SegmentedControl
        label={t('Outcome')}
        look="chips"
        value={isFailedOnly ? 'failed' : 'all'}
        options={[
          ['all', `${t('All')} ${counts?.all ?? ''}`],
          ['failed', `${t('requests|Failed')} ${counts?.failed ?? ''}`],
        ]}
        onValue={(value) => show(value === 'failed', keyId)}
      />
      <select
        aria-label={t('Key')}
        value={keyId}
        onChange={(event) => show(isFailedOnly, event.currentTarget.value)}
      >
        <option value="">{t('Every key')}</option>
        {keys.map((key) => (
          <option key={key.id} value={key.id}>
            {keyName(key)}
          </option>
        ))}
      </select>
    </div>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty icon={ICON_PATHS.api} title={t('No matching requests')} />;
  const [method, path] = routes['stats.getProjects'];
  return (
    <Empty icon={ICON_PATHS.api} title={t('No requests yet')}>
      <p class="muted">{t('Send one, and it appears here within seconds.')}</p>
      <Code text={formatCurl({ method, path })} label={t('example')} />
    </Empty>
  );
}

function RequestRow({ request }: { request: KeyRequest }) {
  const { created_at, operation, status, error_code, duration_ms, left_out } = request;
  return (
    <li>
      <details>
        <summary>
          <time class="muted" dateTime={created_at}>
            {timeFormat.format(new Date(created_at))}
          </time>
          <span class="ellipsis">{keyName({ label: request.key_label, id: request.key_id })}</span>
          <code class="ellipsis">{operation}</code>
          <span class={status < 400 ? 'muted' : 'pill bad'}>{status}</span>
          <span class="ellipsis error">{error_code}</span>
          <span class="muted">{`${duration_ms} ms`}</span>
        </summary>
        <RequestDetail request={request} />
      </details>
      {left_out > 0 && (
        <p class="hint">
          {t(
            '{count, plural, one {# other request at about this time is} other {# other requests at about this time are}} not listed.',
            { count: left_out },
          )}
        </p>
      )}
    </li>
  );
}

function RequestDetail({ request }: { request: KeyRequest }) {
  const { operation, error_code, error, explanation, field, user_agent, x_request_id } = request;
  const [method, path] = routes[operation as Endpoint] ?? [];
  const reference = path?.startsWith('/owner/') ? '/docs/owner/' : '/docs/';
  return (
    <div class="request-detail">
      <div>
        {error && <p>{error}</p>}
        {explanation && <p class="muted">{withCode(explanation)}</p>}
        {error_code && (
          <p>
            <a href={`/docs/errors#${error_code}`} target="_blank">
              {t('{code} in the docs', { code: error_code })}
            </a>
          </p>
        )}
        {path && (
          <p>
            <a href={`${reference}#${operation.replace(/^.*\./, '')}`} target="_blank">
              {t('{operation} in the reference', { operation })}
            </a>
          </p>
        )}
      </div>
      <dl>
        {path && <Fact term={t('Request')} value={`${method} ${path}`} />}
        {field && <Fact term={t('Fields')} value={field} />}
        <Fact term={t('Key')} value={keyName({ label: request.key_label, id: request.key_id })} />
        {user_agent && <Fact term={t('Client')} value={user_agent} />}
        <div>
          <dt>{t('Request id')}</dt>
          <dd class="row">
            <code class="ellipsis">{x_request_id}</code>
            <CopyButton text={x_request_id} label={t('Copy the request id')} isIconOnly />
          </dd>
        </div>
      </dl>
    </div>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The documents mark code with backticks. */
function withCode(text: string) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
