import type { Answer, owner } from '../../api/api.ts';
import { Copy } from '../../parts/copy.tsx';

type Domain = Answer<typeof owner.domains.listDomains>['domains'][number];

/** The DNS records that a domain needs, each with whether it was found. */
export function DnsRecords({ of: { domain, records } }: { of: Domain }) {
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
        <Copy text={text} label={`Copy ${title.toLowerCase()}`} isIcon />
      </div>
    </div>
  );
}
