import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { DomainCard } from './domain-card.tsx';

/** Time between two looks at domains that wait for their records, in milliseconds. */
const LOOK_MS = 20_000;

/** The custom domains of the page: what to set in DNS, and how far each is. */
export function Domains() {
  const loaded = useLoaded(() => owner.domains.listDomains());
  const name = useSignal('');
  const isWaiting = loaded.value?.domains.some(({ state }) => state !== 'verified') ?? false;
  const { reload } = loaded;
  useEffect(() => {
    const timer = isWaiting ? setInterval(reload, LOOK_MS) : undefined;
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  return (
    <>
      <PageTitle title="Domains" about="Show your page at a domain that you own." />
      <Show loaded={loaded}>
        {({ domains, target }) => (
          <>
            {domains.map((domain) => (
              <DomainCard key={domain.domain} domain={domain} onChange={reload} />
            ))}
            <section class="card">
              <h2>Add a domain</h2>
              {target === null ? (
                <Empty title="Custom domains are off">
                  <p class="muted">The operator of this server can turn them on.</p>
                </Empty>
              ) : (
                <Form
                  fields={['domain']}
                  submit="Add domain"
                  isMain={domains.length === 0}
                  onSubmit={async () => {
                    const domain = bare(name.value);
                    await owner.domains.addDomain({ domain });
                    say(`Added ${domain}.`);
                    name.value = '';
                    reload();
                  }}
                >
                  <Bound
                    to={name}
                    name="domain"
                    label="Domain"
                    placeholder="jane.example"
                    autocomplete="off"
                    spellcheck={false}
                    hint="You need access to its DNS settings."
                  />
                </Form>
              )}
              <ApiCall
                endpoint="domains.listDomains"
                also={[
                  ['domains.addDomain', { domain: 'jane.example' }],
                  ['domains.checkDomain', { domain: 'jane.example' }],
                  ['domains.updateDomain', { domain: 'jane.example', redirect: true }],
                  ['domains.removeDomain', { domain: 'jane.example' }],
                ]}
              />
            </section>
          </>
        )}
      </Show>
    </>
  );
}

/** The domain in an address that somebody pasted. */
function bare(typed: string): string {
  return typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '');
}
