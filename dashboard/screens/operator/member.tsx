import { useSignal } from '@preact/signals';
import { USAGE_LABELS, type UsageKind } from '#contract/owner/usage-kinds.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { AccountState } from './account-state.tsx';
import { BackToMembers } from './back-to-members.tsx';
import { AuditCard } from './audit.tsx';
import './operator.css';
import { HeldBackNames, Manage } from './manage.tsx';
import { ReportsCard } from './reports.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { formatAmount, accountName } from './labels.ts';

type AccountDetails = ResponseOf<typeof owner.operator.getAccount>;

export function Member({ id }: { id: string }) {
  const details = useAsync(() => owner.operator.getAccount({ accountId: id }), [id]);
  const isSuspending = useSignal(false);
  // Used as the key of the audit trail, so that each change reloads it.
  const changeCount = useSignal(0);
  const reload = () => {
    changeCount.value += 1;
    details.reload();
  };
  const account = details.value?.account;
  const name = account ? accountName(account) : 'Account';
  return (
    <>
      <BackToMembers />
      <ScreenHeader title={name}>
        {account && !account.operator && account.state !== 'deleting' && (
          <button
            type="button"
            class={account.state === 'active' ? 'danger' : 'primary'}
            onClick={() => (isSuspending.value = true)}
          >
            {account.state === 'active' ? 'Suspend account' : 'Resume account'}
          </button>
        )}
      </ScreenHeader>
      {account && isSuspending.value && (
        <SuspendDialog
          account={account}
          onCancel={() => (isSuspending.value = false)}
          onDone={() => {
            isSuspending.value = false;
            reload();
          }}
        />
      )}
      <AsyncContent state={details}>
        {(loaded) => (
          <>
            <div class="pair">
              <AccountFacts account={loaded.account} />
              <section class="card">
                <h2>Usage</h2>
                <Table
                  caption="Usage"
                  hasFixedColumns
                  rows={loaded.usage}
                  keyOf={({ kind }) => kind}
                  columns={[
                    { title: 'Resource', cell: ({ kind }) => USAGE_LABELS[kind as UsageKind] },
                    {
                      title: 'Used',
                      isNumber: true,
                      cell: ({ kind, used }) => formatAmount(kind, used),
                    },
                    {
                      title: 'Limit',
                      isNumber: true,
                      cell: ({ kind, allowed }) =>
                        allowed === null ? 'None' : formatAmount(kind, allowed),
                    },
                  ]}
                />
              </section>
            </div>
            <ReportsCard accountId={id} onClosed={details.reload} />
            {loaded.held_names.length > 0 && (
              <HeldBackNames names={loaded.held_names} onReleased={reload} />
            )}
            {!loaded.account.operator && loaded.account.state !== 'deleting' && (
              <Manage account={loaded.account} onChange={reload} />
            )}
            <AuditCard key={changeCount.value} accountId={id} />
          </>
        )}
      </AsyncContent>
      <ApiCall
        endpoint="operator.getAccount"
        input={{ accountId: id }}
        otherCalls={[
          ['operator.suspendAccount', { accountId: id, reason: 'Phishing' }],
          ['operator.resumeAccount', { accountId: id }],
          ['operator.createLoginLink', { account_id: id }],
          ['operator.renameAccount', { account_id: id, display_name: 'Jane Doe' }],
          ['operator.removeAccount', { account_id: id }],
          ['operator.releaseName', { display_name: 'jane-doe' }],
        ]}
      />
    </>
  );
}

function AccountFacts({ account }: { account: AccountDetails['account'] }) {
  const address = account.display_name && `${pagesUrl}/@${account.display_name}`;
  return (
    <section class="card">
      <h2>Account</h2>
      <dl class="operator-facts">
        <dt>State</dt>
        <dd>
          <AccountState account={account} />
        </dd>
        {account.suspended_at && (
          <>
            <dt>Suspended</dt>
            <dd>
              <LocalDate time={account.suspended_at} />
              {account.suspension_reason && <div class="hint">{account.suspension_reason}</div>}
            </dd>
          </>
        )}
        <dt>Page</dt>
        <dd>
          {address && account.page_visible ? (
            <a href={address} target="_blank" rel="noreferrer">
              {address.replace(/^https?:\/\//, '')}
            </a>
          ) : (
            'Hidden'
          )}
        </dd>
        <dt>Email</dt>
        <dd>{account.email ?? 'None'}</dd>
        <dt>Created</dt>
        <dd>
          <LocalDate time={account.created_at} />
        </dd>
        <dt>ID</dt>
        <dd>
          <code>{account.account_id}</code>
        </dd>
      </dl>
    </section>
  );
}
