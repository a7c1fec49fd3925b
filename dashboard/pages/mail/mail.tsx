import { type Answer, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';
import { ForwardingForm } from './forwarding-form.tsx';

type Forwarding = Answer<typeof owner.forwarding.getForwarding>;

const STAGES: Readonly<Record<NonNullable<Forwarding['stage']>, string>> = {
  settled: 'The mail provider agrees.',
  waiting: 'The mail provider does not agree yet, and is asked again.',
  'waits for confirmation':
    'The owner of the destination has not agreed yet: look into its mailbox.',
  'waits for an answer': 'The mail provider has not answered yet.',
  'nobody forwards':
    'This server has no mail provider: what you choose is kept, but no mail moves.',
};

/** Where mail to the account's address goes, what the provider has of it, and a form to change it. */
export function Mail() {
  const forwarding = useLoaded(() => owner.forwarding.getForwarding());
  return (
    <>
      <PageTitle title="Mail">
        <button type="button" aria-busy={forwarding.isLoading} onClick={forwarding.reload}>
          Refresh
        </button>
      </PageTitle>
      <Show loaded={forwarding}>
        {(state) =>
          state.address === null ? (
            <Empty title="You have no address yet.">
              <p class="muted">
                It comes with your name: <a href={addressOf('')}>choose one</a>.
              </p>
            </Empty>
          ) : (
            <>
              <State of={state} />
              <section class="card">
                <h2>Forwarding</h2>
                <ForwardingForm state={state} onDone={forwarding.reload} />
              </section>
            </>
          )
        }
      </Show>
    </>
  );
}

function State({ of: state }: { of: Forwarding }) {
  return (
    <section class="card">
      <h2>Your address</h2>
      <p class="address">{state.address}</p>
      <p>
        {state.enabled ? `Mail is to be forwarded to ${state.email}.` : 'Mail is not forwarded.'}{' '}
        {state.stage !== null && <span class="muted">{STAGES[state.stage]}</span>}
      </p>
      {state.known !== null && state.known !== state.email && (
        <p>The provider still sends mail to {state.known}.</p>
      )}
      {state.last_error !== null && (
        <p class="error">
          It failed {state.attempts} {state.attempts === 1 ? 'time' : 'times'}; the provider said
          last: “{state.last_error}”
          {state.next_try_at !== null && (
            <>
              {' '}
              Next try: <Ago time={state.next_try_at} />.
            </>
          )}
        </p>
      )}
      <ApiCall endpoint="forwarding.getForwarding" />
    </section>
  );
}
