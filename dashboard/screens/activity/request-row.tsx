import { type Endpoint, routes } from '#dashboard/api/routes.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { t } from '#dashboard/translate.ts';
import { keyName } from '../keys/key-table.tsx';
import type { KeyRequest, Run } from './load-activity.ts';

const timeFormat = new Intl.DateTimeFormat(t.locale, { timeStyle: 'medium' });

export function RequestRow({ run }: { run: Run<KeyRequest> }) {
  const [request] = run;
  const { created_at, operation, status, error_code, left_out } = request;
  const [area, name] = operation.split('.');
  const isFailed = status >= 400;
  return (
    <ListRow
      icon={ICON_PATHS.key}
      tone={isFailed ? 'bad' : ''}
      title={
        <>
          <code>
            {area}.
            <wbr />
            {name}
          </code>
          {run.length > 1 && (
            <span class="muted"> {t('{count, number} times', { count: run.length })}</span>
          )}
        </>
      }
      text={[
        [keyName({ label: request.key_label, id: request.key_id }), error_code]
          .filter(Boolean)
          .join(': '),
        left_out > 0 &&
          t(
            '{count, plural, one {# other request at about this time is} other {# other requests at about this time are}} not listed.',
            { count: left_out },
          ),
      ]
        .filter(Boolean)
        .join(' · ')}
      end={
        <>
          <span class={isFailed ? 'pill bad' : 'pill good'}>{status}</span>
          <time dateTime={created_at}>{timeFormat.format(new Date(created_at))}</time>
        </>
      }
    >
      <RequestDetail request={request} />
    </ListRow>
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
        {user_agent && <Fact term={t('Client')} value={user_agent} />}
        <Fact term={t('Took')} value={`${request.duration_ms} ms`} />
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
