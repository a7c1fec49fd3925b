import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { SetUp } from '#dashboard/parts/set-up.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Steps } from '#dashboard/parts/steps.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { AddDomain } from './add-domain.tsx';
import { DomainCard } from './domain-card.tsx';

/** Time between two looks at domains that wait for their records, in milliseconds. */
const LOOK_MS = 20_000;

/** Steps from a domain to a page there. */
const STEPS = [
  ['Add the domain', 'One that you own, or a subdomain such as www.jane.example.'],
  ['Set two DNS records', 'We show you which. One leads here, one proves that it is yours.'],
  ['Your page is there', 'With a certificate, usually within the hour.'],
] as const;

/** The custom domains of the page: what to set in DNS, and how far each is. */
export function Domains() {
  const loaded = useLoaded(() => owner.domains.listDomains());
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
            {target === null ? (
              <section class="card">
                <Empty icon={LINES.link} title="Custom domains are off">
                  <SetUp
                    document="docs/custom-domains.md"
                    text="Set CUSTOM_DOMAIN_TARGET to the host name that domains lead to."
                  />
                </Empty>
              </section>
            ) : (
              <div class="pair">
                <section class="card">
                  <h2>{domains.length === 0 ? 'Add a domain' : 'Add another domain'}</h2>
                  <AddDomain isMain={domains.length === 0} onAdded={reload} />
                </section>
                {domains.length === 0 && <Steps steps={STEPS} />}
              </div>
            )}
          </>
        )}
      </Show>
      <ApiCall
        endpoint="domains.listDomains"
        also={[
          ['domains.addDomain', { domain: 'jane.example' }],
          ['domains.checkDomain', { domain: 'jane.example' }],
          ['domains.updateDomain', { domain: 'jane.example', redirect: true }],
          ['domains.removeDomain', { domain: 'jane.example' }],
        ]}
      />
    </>
  );
}
