import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { isOperator } from '#dashboard/current-account.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { DomainCard } from './domain-card.tsx';

export function Domains() {
  const loaded = useAsync(() => owner.domains.listDomains());
  const isWaiting = loaded.value?.domains.some(({ state }) => state !== 'verified') ?? false;
  const { reload, poll } = loaded;
  usePolling(isWaiting ? 'background' : undefined, poll);
  return (
    <>
      <ScreenHeader
        title={t('Domains')}
        parent={{ title: t('Settings'), path: 'settings' }}
        subtitle={t('Use your own domain for your page.')}
      />
      <AsyncContent state={loaded}>
        {({ domains, target }) => (
          <>
            {domains.map((domain) => (
              <DomainCard key={domain.domain} domain={domain} onChange={reload} />
            ))}
            {target === null ? (
              <DomainsOff />
            ) : (
              <section class="card">
                <h2>{domains.length === 0 ? t('Add a domain') : t('Add another domain')}</h2>
                <AddDomain isPrimary={domains.length === 0} onAdded={reload} />
              </section>
            )}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function AddDomain({ isPrimary, onAdded }: { isPrimary: boolean; onAdded: () => void }) {
  const name = useSignal('');
  return (
    <Form
      fields={['domain']}
      submitLabel={t('Add domain')}
      isPrimary={isPrimary}
      onSubmit={async () => {
        // Without the scheme and the path, in case the user pasted a URL.
        const [domain = ''] = name.value
          .trim()
          .replace(/^https?:\/\//i, '')
          .split(/[/?#]/);
        await owner.domains.createDomain({ domain });
        showMessage(t('Added {domain}.', { domain }));
        name.value = '';
        onAdded();
      }}
    >
      <BoundField
        signal={name}
        name="domain"
        label={t('Domain')}
        placeholder="jane.example"
        autocomplete="off"
        spellcheck={false}
        hint={t('You need access to its DNS settings.')}
      />
    </Form>
  );
}

/** Operators get a link to its line under Setup. */
function DomainsOff() {
  return (
    <section class="card">
      <Empty icon={ICON_PATHS.globe} title={t('Custom domains are off')}>
        <p class="muted">
          {isOperator.value
            ? t('Turn them on, and members can show their pages at domains of their own.')
            : t('Once they are on, you can show your page at a domain of your own.')}
        </p>
        {isOperator.value && (
          <a class="button primary" href={dashboardHref('operator#domainsOff')}>
            {t('Set up domains')}
          </a>
        )}
      </Empty>
    </section>
  );
}
