import type { ComponentChildren } from 'preact';
import { withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { EMAIL_FIELD } from '#dashboard/components/email-field.tsx';
import { EmailText } from '#dashboard/components/email-text.tsx';
import { FlowDiagram } from '#dashboard/components/flow-diagram.tsx';
import { showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { RouteCard } from '#dashboard/components/route-card.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { isOperator } from '#dashboard/current-account.ts';
import { readerName } from '#dashboard/display-name.ts';
import { isOn } from '#dashboard/facts.ts';
import { instanceName } from '#dashboard/instance.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { cancelPendingEmail } from './cancel-pending-email.ts';
import { describeForwarding, type Forwarding, unconfirmedEmail } from './forwarding-text.ts';

export function Mail() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding());
  const { value } = forwarding;
  const isForwarded = value !== undefined && isForwarding(value);
  const isChanging = value?.enabled ? !isForwarded : value?.provider_email !== null;
  const isWaiting = Boolean(value?.available && (isChanging || value.pending_email));
  usePolling(isWaiting ? 'waiting' : undefined, forwarding.poll);
  const groups = (
    <GroupAddresses addresses={value?.group_addresses ?? []} onChange={forwarding.reload} />
  );
  return (
    <>
      <ScreenHeader title={t('Mail')} subtitle={t('Your address and its inbox.')}>
        {value?.available && value.forwarding_email && (
          <CopyButton text={value.forwarding_email} label={t('Copy address')} />
        )}
      </ScreenHeader>
      <AsyncContent state={forwarding}>
        {(state) => (
          <>
            {!isForwarded && groups}
            {state.forwarding_email === null || !state.available ? (
              <NoForwarding isAvailable={state.available} loginEmail={state.login_email} />
            ) : (
              <ForwardingStatus
                forwarding={state}
                address={state.forwarding_email}
                onChange={forwarding.reload}
              />
            )}
            {isForwarded && groups}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function GroupAddresses({
  addresses,
  onChange,
}: {
  addresses: Forwarding['group_addresses'];
  onChange: () => void;
}) {
  if (addresses.length === 0) return null;
  return (
    <section class="card">
      <h2>{t('Group addresses')}</h2>
      <ul>
        {addresses.map((address) => (
          <GroupAddress key={address.id} {...address} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function GroupAddress({
  id: address_id,
  email,
  state,
  readers,
  onChange,
}: Forwarding['group_addresses'][number] & { onChange: () => void }) {
  const isStopped = state === 'stopped';
  const change = async () => {
    const changed = owner.forwarding.updateGroupAddress({ address_id, enabled: isStopped });
    if (await withErrorMessage(changed)) onChange();
  };
  return (
    <ListRow
      title={<EmailText email={email} />}
      text={
        isStopped
          ? t('You do not get its mail.')
          : state === 'unreachable'
            ? t('You get its mail once you have a confirmed address.')
            : readers.length === 0
              ? t('Only you read it. If you leave, mail to it is refused.')
              : t('Also read by {names}.', {
                  names: formatList(readers.map(readerName)),
                })
      }
      actions={
        isOn('addresses') && (
          <button type="button" class="quiet" onClick={() => void change()}>
            {isStopped ? t('Get it again') : t('Leave')}
          </button>
        )
      }
    />
  );
}

/** The server forwards no mail, or the account has no name. */
function NoForwarding({
  isAvailable,
  loginEmail,
}: {
  isAvailable: boolean;
  loginEmail: string | null;
}) {
  const instance = instanceName.value;
  return (
    <section class="card">
      <Empty icon={ICON_PATHS.mail} title={t('You have no address here yet')}>
        <p class="muted">
          {isAvailable
            ? t('Claim a name to get an address.')
            : isOperator.value
              ? t('Connect a mail provider, and every member gets an address here.')
              : t(
                  'Once forwarding is on, your address appears here. There is nothing you need to do.',
                )}
        </p>
        {!isAvailable && loginEmail !== null && (
          <p class="hint">
            {t('{instance} writes to you at {email}.', { instance, email: loginEmail })}
          </p>
        )}
        {isAvailable ? (
          <a class="button primary" href={dashboardHref('')}>
            {t('Claim a name')}
          </a>
        ) : (
          isOperator.value && (
            <a class="button primary" href={dashboardHref('operator#forwardingOff')}>
              {t('Set up forwarding')}
            </a>
          )
        )}
      </Empty>
    </section>
  );
}

function ForwardingStatus({
  forwarding,
  address,
  onChange,
}: {
  forwarding: Forwarding;
  address: string;
  onChange: () => void;
}) {
  const { enabled, email, confirmed, stage, pending_email } = forwarding;
  const isForwarded = isForwarding(forwarding);
  const unconfirmed = enabled ? unconfirmedEmail(forwarding) : null;
  const [name, host] = address.split('@');
  /** Turning forwarding on again sends another confirmation mail. */
  const toggle = async (isEnabled: boolean) => {
    const input = { enabled: isEnabled };
    if (!(await withErrorMessage(api.emailForwarding.emailForwardingToggle(input)))) return;
    if (unconfirmed !== null && isEnabled)
      showMessage(t('Open the link in the mail to {email}.', { email: unconfirmed }));
    onChange();
  };
  const { title, text } = describeForwarding(forwarding, address);
  return (
    <RouteCard
      plateLength={address.length}
      diagram={
        <MailRoute isOn={isForwarded}>
          <Plate state={isForwarded ? undefined : 'off'}>
            {name}
            <b class="host">@{host}</b>
          </Plate>
        </MailRoute>
      }
      action={
        <div class="row">
          {unconfirmed !== null && (
            <button type="button" onClick={() => void toggle(true)}>
              {pending_email !== null || stage === 'waits for confirmation'
                ? t('Send again')
                : t('Send confirmation mail')}
            </button>
          )}
          {pending_email !== null && (
            <button
              type="button"
              onClick={() => void cancelPendingEmail(forwarding).then(onChange)}
            >
              {t('Cancel the change')}
            </button>
          )}
          <button
            type="button"
            class={enabled ? undefined : 'primary'}
            onClick={() => openForwarding(forwarding, onChange)}
          >
            {enabled ? t('Forward elsewhere…') : t('Forward to…')}
          </button>
          {enabled && (
            <button type="button" class="quiet" onClick={() => void toggle(false)}>
              {t('Stop forwarding')}
            </button>
          )}
        </div>
      }
    >
      <div role="status">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {enabled && confirmed === false && stage !== 'waits for confirmation' && (
        <p>
          {t('{email} is not confirmed yet, so it gets no login links and no security notices.', {
            email: email!,
          })}
        </p>
      )}
      {pending_email !== null && stage !== 'waits for confirmation' && (
        <p>
          {t('Open the link in the mail to {email} within 24 hours. Until then, nothing changes.', {
            email: pending_email,
          })}
        </p>
      )}
      <ProviderProblem forwarding={forwarding} />
    </RouteCard>
  );
}

function openForwarding(forwarding: Forwarding, onChange: () => void): void {
  void showTextDialog({
    title: t('Forward mail'),
    field: {
      ...EMAIL_FIELD,
      hint: t('An inbox you already read. Visitors of your page never see it.'),
      value: forwarding.pending_email ?? forwarding.email ?? forwarding.login_email ?? '',
    },
    fields: ['email', 'enabled'],
    submitLabel: t('Forward'),
    onSubmit: async (address) => {
      await api.emailForwarding.emailForwardingToggle({
        enabled: true,
        email: address ? withAsciiDomain(address) : undefined,
      });
      onChange();
    },
  });
}

function ProviderProblem({ forwarding }: { forwarding: Forwarding }) {
  const { enabled, email, provider_email, last_error, attempts, next_try_at } = forwarding;
  return (
    <>
      {provider_email !== null && !(enabled && provider_email === email) && (
        <p>{t('The provider still sends mail to {email}.', { email: provider_email })}</p>
      )}
      {last_error !== null && (
        <p class="error">
          {attempts === 0
            ? last_error
            : t(
                'The mail provider rejected the change {count, plural, one {# time} other {# times}}. Last error: “{error}”',
                { count: attempts, error: last_error },
              )}
          {next_try_at !== null && (
            <>
              {' '}
              {t.rich('The next attempt is <time></time>.', {
                time: () => <TimeAgo time={next_try_at} />,
              })}
            </>
          )}
        </p>
      )}
    </>
  );
}

/** Only then does mail arrive. */
function isForwarding({ enabled, stage }: Forwarding): boolean {
  return enabled && stage === 'settled';
}

function MailRoute(props: { isOn?: boolean; children: ComponentChildren }) {
  return (
    <FlowDiagram
      from={[ICON_PATHS.user, t('Sender')]}
      to={[ICON_PATHS.mail, t('Your inbox')]}
      {...props}
    />
  );
}
