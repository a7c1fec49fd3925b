import type { ComponentType } from 'preact';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { addressOf, place } from '#dashboard/router.ts';
import { AccountScreen } from './account.tsx';
import { Accounts } from './accounts.tsx';
import { Audit } from './audit.tsx';
import { Invitations } from './invitations.tsx';
import './operator.css';
import { Reports } from './reports.tsx';

const TABS: readonly (readonly [place: string, title: string, Part: ComponentType])[] = [
  ['operator', 'Accounts', Accounts],
  ['operator/reports', 'Reports', Reports],
  ['operator/invitations', 'Invitations', Invitations],
  ['operator/audit', 'Audit trail', Audit],
];

/** Everything that operators do: accounts, reports, invitations and the audit trail. */
export function Operator() {
  const [, part, id] = place.value.split('/');
  if (part === 'accounts' && id) return <AccountScreen key={id} id={id} />;
  const [open, , Part] = TABS.find(([at]) => at === place.value) ?? TABS[0]!;
  return (
    <>
      <PageTitle title="Operator" about="For those who run this server." />
      <div class="operator-tabs" role="navigation" aria-label="Operator">
        {TABS.map(([at, title]) => (
          <a key={at} href={addressOf(at)} aria-current={at === open ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </div>
      <Part />
    </>
  );
}
