import type { ComponentChildren } from 'preact';
import { api, owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SetUpHint } from '#dashboard/components/set-up-hint.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { HowItWorks, FlowDiagram } from '#dashboard/components/how-it-works.tsx';
import { instanceName } from '#dashboard/instance.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { ForwardingForm } from './forwarding-form.tsx';
import { type Forwarding, describeForwarding } from './forwarding-text.ts';

const STEPS = [
  [t('Choose an inbox'), t('Any address you use. Visitors of your page never see it.')],
  ...(canMailLoginLinks
    ? ([[t('Confirm it'), t('Open the link in the confirmation mail.')]] as const)
    : []),
  [t('Get mail at your name'), t('Change the inbox or turn it off at any time.')],
] as const;

export function Mail() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding());
  return (
    <>
      <ScreenHeader
        title={t('Mail')}
        subtitle={t('Mail to your name goes to an inbox you already have.')}
      >
        {forwarding.value?.available && (
          <button type="button" aria-busy={forwarding.isLoading} onClick={forwarding.reload}>
            <Icon path={ICON_PATHS.refresh} />
            {t('Refresh')}
          </button>
        )}
      </ScreenHeader>
      <AsyncContent state={forwarding}>
        {(state) => (
          <>
            {state.address === null || !state.available ? (
              <div class="pair">
                <section class="card">{state.available ? <NoAddress /> : <NotSetUp />}</section>
                <HowItWorks steps={STEPS}>
                  <MailRoute inbox={null}>
                    <Plate>jane@example.com</Plate>
                  </MailRoute>
                </HowItWorks>
              </div>
            ) : (
              <div class="pair">
                <ForwardingStatus forwarding={state} onRequested={forwarding.reload} />
                <section class="card">
                  <div class="card-head">
                    <h2>{t('Forwarding')}</h2>
                  </div>
                  <ForwardingForm state={state} onDone={forwarding.reload} />
                </section>
              </div>
            )}
            {state.available &&
              state.address !== null &&
              (!state.enabled || isUnconfirmed(state)) && <HowItWorks steps={STEPS} />}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function NoAddress() {
  return (
    <Empty icon={ICON_PATHS.mail} title={t('No address yet')}>
      <p class="muted">{t('Claim a name to get an address.')}</p>
      <a class="button primary" href={dashboardHref('')}>
        {t('Claim a name')}
      </a>
    </Empty>
  );
}

function NotSetUp() {
  return (
    <Empty icon={ICON_PATHS.mail} title={t('Mail forwarding is not set up on this server')}>
      <SetUpHint
        findingCode="forwardingOff"
        memberText={t(
          'Once {instance} turns it on, your address appears here. There is nothing you need to do.',
          { instance: instanceName.value },
        )}
        operatorText={t('Give every member an address that forwards to their own inbox.')}
      />
    </Empty>
  );
}

function ForwardingStatus({
  forwarding,
  onRequested,
}: {
  forwarding: Forwarding;
  onRequested: () => void;
}) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Your address')}</h2>
        <span class={pillClass(forwarding)}>
          {isUnconfirmed(forwarding)
            ? t('Not confirmed yet')
            : forwarding.enabled
              ? t('Forwarding on')
              : t('Forwarding off')}
        </span>
      </div>
      <div class="code">
        <code>{forwarding.address}</code>
        <CopyButton text={forwarding.address!} label={t('Copy address')} isIconOnly />
      </div>
      <MailRoute inbox={forwarding.enabled ? forwarding.email : null}>
        <Plate state={isForwarding(forwarding) ? undefined : 'off'}>
          {forwarding.address!.split('@')[0]}
          <b>@{forwarding.address!.split('@')[1]}</b>
        </Plate>
      </MailRoute>
      <p>{describeForwarding(forwarding)}</p>
      {forwarding.enabled &&
        forwarding.confirmed === false &&
        forwarding.stage !== 'waits for confirmation' && (
          <UnconfirmedNotice email={forwarding.email!} onRequested={onRequested} />
        )}
      {forwarding.provider_destination !== null &&
        forwarding.provider_destination !== forwarding.email && (
          <p>
            {t('The provider still sends mail to {email}.', {
              email: forwarding.provider_destination,
            })}
          </p>
        )}
      {forwarding.last_error !== null && (
        <p class="error">
          {t(
            'The mail provider rejected the change {count, plural, one {# time} other {# times}}. Last error: “{error}”',
            { count: forwarding.attempts, error: forwarding.last_error },
          )}
          {forwarding.next_try_at !== null && (
            <>
              {' '}
              {t.rich('The next attempt is <time></time>.', {
                time: () => <TimeAgo time={forwarding.next_try_at!} />,
              })}
            </>
          )}
        </p>
      )}
    </section>
  );
}

function isUnconfirmed({ enabled, stage }: Forwarding): boolean {
  return enabled && stage === 'waits for confirmation';
}

function isForwarding({ enabled, stage }: Forwarding): boolean {
  return enabled && stage === 'settled';
}

/** Green only if mail is being forwarded. */
function pillClass(forwarding: Forwarding): string {
  if (!forwarding.enabled) return 'pill';
  return isForwarding(forwarding) ? 'pill good live' : 'pill warn';
}

function MailRoute({ inbox, children }: { inbox: string | null; children: ComponentChildren }) {
  return (
    <FlowDiagram
      from={[ICON_PATHS.message, t('Sender')]}
      to={[ICON_PATHS.mail, inbox ?? t('Your inbox')]}
    >
      {children}
    </FlowDiagram>
  );
}

/**
 * For an unconfirmed address that got no confirmation mail. Turning forwarding on again sends it.
 */
function UnconfirmedNotice({ email, onRequested }: { email: string; onRequested: () => void }) {
  const requestConfirmation = async () => {
    if (!(await withErrorMessage(api.emailForwarding.emailForwardingToggle({ enabled: true }))))
      return;
    showMessage(t('Open the link in the mail to {email}.', { email }));
    onRequested();
  };
  return (
    <>
      <p>
        {t('{email} is not confirmed yet, so it gets no login links and no security notices.', {
          email,
        })}
      </p>
      <div class="actions">
        <button type="button" onClick={() => void requestConfirmation()}>
          {t('Send confirmation mail')}
        </button>
      </div>
    </>
  );
}
