import { api, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Copy } from '#dashboard/parts/copy.tsx';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { SetUp } from '#dashboard/parts/set-up.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Steps } from '#dashboard/parts/steps.tsx';
import { mailsLinks } from '#dashboard/session.ts';
import { Ago } from '#dashboard/parts/time.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf } from '#dashboard/router.ts';
import { ForwardingForm } from './forwarding-form.tsx';
import { type Forwarding, stateWords } from './state-words.ts';

/** Steps from an address to mail in an inbox. */
const STEPS = [
  ['Choose an inbox', 'Any address that you read. Visitors of your page never see it.'],
  ...(mailsLinks
    ? ([
        ['Confirm it', 'Open the link that we mail there, so that nobody else is flooded.'],
      ] as const)
    : []),
  ['Get mail at your name', 'Change or stop it at any time. Your address here stays the same.'],
] as const;

/** Where mail to the account's address goes, what the provider has of it, and a form to change it. */
export function Mail() {
  const forwarding = useLoaded(() => owner.forwarding.getForwarding());
  return (
    <>
      <PageTitle title="Mail" about="Mail to your name goes to an inbox you already have.">
        <button type="button" aria-busy={forwarding.isLoading} onClick={forwarding.reload}>
          <Icon lines={LINES.refresh} />
          Refresh
        </button>
      </PageTitle>
      <Show loaded={forwarding}>
        {(state) => (
          <>
            {state.address === null ? (
              <section class="card">
                <Empty icon={LINES.mail} title="No address yet">
                  <p class="muted">Claim a name, and mail to it goes to your inbox.</p>
                  <a class="button primary" href={addressOf('')}>
                    Claim a name
                  </a>
                </Empty>
              </section>
            ) : !state.available ? (
              <section class="card">
                <Empty icon={LINES.mail} title="Mail is not set up on this server">
                  <SetUp
                    document="docs/email-forwarding.md"
                    text="Choose a mail provider, or your own Postfix, in the settings of the server."
                  />
                </Empty>
              </section>
            ) : (
              <div class="pair">
                <State of={state} onAsked={forwarding.reload} />
                <section class="card">
                  <div class="card-head">
                    <h2>Forwarding</h2>
                  </div>
                  <ForwardingForm state={state} onDone={forwarding.reload} />
                </section>
              </div>
            )}
            {state.available && (!state.enabled || isUnconfirmed(state)) && <Steps steps={STEPS} />}
            <ApiCall
              endpoint="forwarding.getForwarding"
              also={
                state.available
                  ? []
                  : [['emailForwarding.emailForwardingToggle', { enabled: true }]]
              }
            />
          </>
        )}
      </Show>
    </>
  );
}

function State({ of: state, onAsked }: { of: Forwarding; onAsked: () => void }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Your address</h2>
        <span class={pillOf(state)}>
          {isUnconfirmed(state)
            ? 'Not confirmed yet'
            : state.enabled
              ? 'Forwarding on'
              : 'Forwarding off'}
        </span>
      </div>
      <div class="code">
        <code>{state.address}</code>
        <Copy text={state.address!} label="Copy address" isIcon />
      </div>
      <p>{stateWords(state)}</p>
      {state.enabled && state.confirmed === false && state.stage !== 'waits for confirmation' && (
        <Unconfirmed email={state.email!} onAsked={onAsked} />
      )}
      {state.known !== null && state.known !== state.email && (
        <p>The provider still sends mail to {state.known}.</p>
      )}
      {state.last_error !== null && (
        <p class="error">
          The mail provider refused {state.attempts} {state.attempts === 1 ? 'time' : 'times'}, most
          recently with “{state.last_error}”
          {state.next_try_at !== null && (
            <>
              {' '}
              The next attempt is <Ago time={state.next_try_at} />.
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

/** Green is for mail that is forwarded. */
function pillOf({ enabled, stage }: Forwarding): string {
  if (!enabled) return 'pill';
  return stage === 'settled' ? 'pill good live' : 'pill warn';
}

/** A destination from before the server could ask its owner. Turning forwarding on again asks now. */
function Unconfirmed({ email, onAsked }: { email: string; onAsked: () => void }) {
  const ask = async () => {
    if (!(await showing(api.emailForwarding.emailForwardingToggle({ enabled: true })))) return;
    say(`Open the link in the mail to ${email}.`);
    onAsked();
  };
  return (
    <>
      <p>{email} is not confirmed yet, so it gets no login links and no security notices.</p>
      <div class="actions">
        <button type="button" onClick={() => void ask()}>
          Send confirmation mail
        </button>
      </div>
    </>
  );
}
