import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import './domains.css';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

type Domain = ResponseOf<typeof owner.domains.listDomains>['domains'][number];

const PILL_BY_STATE = {
  waiting: ['pill warn', t('Waiting for DNS')],
  verified: ['pill good live', t('Verified')],
  failing: ['pill warn', t('TXT record missing')],
} as const;

function useDomainActions(domain: string, onChange: () => void) {
  const isChecking = useSignal(false);
  const check = async () => {
    isChecking.value = true;
    const checkedDomain = await withErrorMessage(owner.domains.checkDomain({ domain }));
    isChecking.value = false;
    if (checkedDomain) onChange();
  };
  const setRedirect = async (on: boolean) => {
    if (await withErrorMessage(owner.domains.updateDomain({ domain, redirect: on }))) onChange();
  };
  const remove = async () => {
    const isConfirmed = await confirm({
      title: t('Remove {domain}?', { domain }),
      text: t('It no longer shows your page. To add the domain again, you need a new TXT record.'),
      action: t('Remove'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.domains.deleteDomain({ domain })))) return;
    showMessage(t('Removed {domain}.', { domain }));
    onChange();
  };
  return { isChecking: isChecking.value, check, setRedirect, remove };
}

function DomainHeading({ domain: { domain, state, problem } }: { domain: Domain }) {
  const [pillClass, label] =
    state === 'verified' && problem
      ? (['pill warn', t('Needs attention')] as const)
      : PILL_BY_STATE[state as keyof typeof PILL_BY_STATE];
  return (
    <div class="card-head">
      <h2>
        {state === 'waiting' ? (
          domain
        ) : (
          <a href={pageUrlAt(domain)} target="_blank" rel="noreferrer">
            {domain}
            <Icon path={ICON_PATHS.externalLink} />
          </a>
        )}
      </h2>
      <span class={pillClass}>{label}</span>
    </div>
  );
}

export function DomainCard({ domain: record, onChange }: { domain: Domain; onChange: () => void }) {
  const { domain } = record;
  const { isChecking, check, setRedirect, remove } = useDomainActions(domain, onChange);
  const isHealthy = record.state === 'verified' && !record.problem;
  return (
    <section class="card">
      <DomainHeading domain={record} />
      {record.problem && <p>{record.problem}</p>}
      {record.stops_at && (
        <p class="hint">
          {t.rich('This domain stops showing your page <time></time>.', {
            time: () => <TimeAgo time={record.stops_at!} />,
          })}
        </p>
      )}
      {isHealthy ? (
        <details>
          <summary>{t('DNS records')}</summary>
          <DnsRecords domain={record} />
        </details>
      ) : (
        <>
          {record.state === 'waiting' && (
            <p class="muted">
              {t('Set these records where you manage the DNS of {domain}.', { domain })}
            </p>
          )}
          <DnsRecords domain={record} />
        </>
      )}
      <Switch
        label={t('Redirect visitors of my page to this domain')}
        checked={record.redirect}
        onChange={(on) => void setRedirect(on)}
      />
      <div class="row between">
        <p class="hint">
          {record.checked_at
            ? t.rich('Last checked <time></time>', {
                time: () => <TimeAgo time={record.checked_at!} />,
              })
            : t('Not checked yet')}
        </p>
        <div class="row">
          <button type="button" class="quiet danger" onClick={() => void remove()}>
            {t('Remove')}
          </button>
          <button type="button" aria-busy={isChecking} onClick={() => void check()}>
            {t('Check now')}
          </button>
        </div>
      </div>
    </section>
  );
}

function pageUrlAt(domain: string): string {
  const url = new URL(pagesUrl);
  url.hostname = domain;
  return url.origin;
}

function DnsRecords({ domain: { domain, records } }: { domain: Domain }) {
  return (
    <ul class="domain-records" aria-label={t('DNS records of {domain}', { domain })}>
      {records.map(({ type, name, value, found }) => (
        <li key={`${type} ${value}`}>
          <span class="strong">{type}</span>
          <CopyableValue title={t('Name')} copyLabel={t('Copy name')} text={name} />
          <CopyableValue title={t('Value')} copyLabel={t('Copy value')} text={value} />
          <span class={found ? 'pill good' : 'pill'}>{found ? t('Found') : t('Not found')}</span>
        </li>
      ))}
    </ul>
  );
}

function CopyableValue({
  title,
  copyLabel,
  text,
}: {
  title: string;
  copyLabel: string;
  text: string;
}) {
  return (
    <div class="domain-value">
      <span class="hint">{title}</span>
      <div class="code">
        <code>{text}</code>
        <CopyButton text={text} label={copyLabel} isIconOnly />
      </div>
    </div>
  );
}
