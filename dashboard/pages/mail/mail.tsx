import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';
import { ForwardingForm } from './forwarding-form.tsx';
import { type Forwarding, stateWords } from './state-words.ts';

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
      <p>{stateWords(state)}</p>
      {!state.available && (
        <p class="muted">
          This server has no mail provider, so nobody forwards mail. You can choose an address all
          the same: it is kept for the day when there is one.
        </p>
      )}
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
