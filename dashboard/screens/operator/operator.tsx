import type { ComponentType } from 'preact';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { dashboardHref, currentPath } from '#dashboard/router.ts';
import { AccountScreen } from './account.tsx';
import { Accounts } from './accounts.tsx';
import { Audit } from './audit.tsx';
import { Invitations } from './invitations.tsx';
import './operator.css';
import { Reports } from './reports.tsx';

const TABS: readonly (readonly [place: string, title: string, Tab: ComponentType])[] = [
  ['operator', 'Accounts', Accounts],
  ['operator/reports', 'Reports', Reports],
  ['operator/invitations', 'Invitations', Invitations],
  ['operator/audit', 'Audit trail', Audit],
];

export function Operator() {
  const [, section, id] = currentPath.value.split('/');
  if (section === 'accounts' && id) return <AccountScreen key={id} id={id} />;
  const [openPlace, , Tab] = TABS.find(([tabPlace]) => tabPlace === currentPath.value) ?? TABS[0]!;
  return (
    <>
      <ScreenHeader title="Operator" subtitle="Manage this server’s accounts." />
      <div class="operator-tabs" role="navigation" aria-label="Operator">
        {TABS.map(([tabPlace, title]) => (
          <a
            key={tabPlace}
            href={dashboardHref(tabPlace)}
            aria-current={tabPlace === openPlace ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </div>
      <Tab />
    </>
  );
}
