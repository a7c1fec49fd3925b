import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { pagesUrl } from '#dashboard/session.ts';
import './domains.css';
import { CopyButton } from '#dashboard/components/copy-button.tsx';

type Domain = ResponseOf<typeof owner.domains.listDomains>['domains'][number];

const STATES = {
  waiting: ['pill warn', 'Waiting for DNS'],
  verified: ['pill good live', 'Verified'],
  failing: ['pill warn', 'Proof missing'],
} as const;

/** A custom domain: its state, the DNS records to set, and what can be done with it. */
export function DomainCard({ domain: it, onChange }: { domain: Domain; onChange: () => void }) {
  const isChecking = useSignal(false);
  const { domain } = it;
  const isSettled = it.state === 'verified' && !it.problem;
  const [look, words] =
    it.state === 'verified' && it.problem
      ? (['pill warn', 'Needs attention'] as const)
      : STATES[it.state as keyof typeof STATES];
  const check = async () => {
    isChecking.value = true;
    const checked = await withErrorMessage(owner.domains.checkDomain({ domain }));
    isChecking.value = false;
    if (checked) onChange();
  };
  const redirect = async (on: boolean) => {
    if (await withErrorMessage(owner.domains.updateDomain({ domain, redirect: on }))) onChange();
  };
  const remove = async () => {
    const isSure = await confirm({
      title: `Remove ${domain}?`,
      text: 'Your page is no longer there. To add the domain again you need a new TXT record.',
      action: 'Remove',
    });
    if (!isSure || !(await withErrorMessage(owner.domains.removeDomain({ domain })))) return;
    showMessage(`Removed ${domain}.`);
    onChange();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {it.state === 'waiting' ? (
            domain
          ) : (
            <a href={pageUrlAt(domain)} target="_blank" rel="noreferrer">
              {domain}
              <Icon path={ICON_PATHS.open} />
            </a>
          )}
        </h2>
        <span class={look}>{words}</span>
      </div>
      {it.problem && <p>{it.problem}</p>}
      {it.stops_at && (
        <p class="hint">
          Your page leaves this domain <TimeAgo time={it.stops_at} />.
        </p>
      )}
      {isSettled ? (
        <details>
          <summary>DNS records</summary>
          <DnsRecords of={it} />
        </details>
      ) : (
        <>
          {it.state === 'waiting' && (
            <p class="muted">Set these records where you manage the DNS of {domain}.</p>
          )}
          <DnsRecords of={it} />
        </>
      )}
      <Switch
        label="Redirect visitors of my page to this domain"
        checked={it.redirect}
        onChange={(on) => void redirect(on)}
      />
      <div class="row between">
        <p class="hint">
          {it.checked_at ? (
            <>
              Last checked <TimeAgo time={it.checked_at} />
            </>
          ) : (
            'Not checked yet'
          )}
        </p>
        <div class="row">
          <button type="button" class="quiet danger" onClick={() => void remove()}>
            Remove
          </button>
          <button type="button" aria-busy={isChecking.value} onClick={() => void check()}>
            Check now
          </button>
        </div>
      </div>
    </section>
  );
}

/** Where the page is at a domain: with the scheme and the port of all pages. */
function pageUrlAt(domain: string): string {
  const url = new URL(pagesUrl);
  url.hostname = domain;
  return url.origin;
}

/** The DNS records that a domain needs, each with whether it was found. */
function DnsRecords({ of: { domain, records } }: { of: Domain }) {
  return (
    <ul class="domain-records" aria-label={`DNS records of ${domain}`}>
      {records.map(({ type, name, value, found }) => (
        <li key={`${type} ${value}`}>
          <span class="strong">{type}</span>
          <Value title="Name" text={name} />
          <Value title="Value" text={value} />
          <span class={found ? 'pill good' : 'pill'}>{found ? 'Found' : 'Not found'}</span>
        </li>
      ))}
    </ul>
  );
}

function Value({ title, text }: { title: string; text: string }) {
  return (
    <div class="domain-value">
      <span class="hint">{title}</span>
      <div class="code">
        <code>{text}</code>
        <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} isIconOnly />
      </div>
    </div>
  );
}
