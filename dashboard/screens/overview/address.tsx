import { useSignal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Copy } from '../../parts/copy.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Switch } from '../../parts/switch.tsx';
import { arePagesElsewhere, pagesUrl } from '../../session.ts';
import { NameForm } from './name-form.tsx';
import type { AccountState } from './account-state.ts';

/** Where the page is, and whether anybody sees it there. */
export function Address({ state, onChange }: { state: AccountState; onChange: () => void }) {
  const { name, isVisible } = state;
  const isNaming = useSignal(false);
  if (!name)
    return (
      <section class="card">
        <h2>Choose your name</h2>
        <p class="muted">
          It is used for your page and your mail address. You can change it later.
        </p>
        <NameForm onDone={onChange} />
      </section>
    );
  const url = `${pagesUrl}/@${name}`;
  const toggle = async () => {
    const answer = await showing(api.site.toggleSiteVisibility());
    if (!answer) return;
    say(answer.newStatus ? 'Your page is visible to everybody.' : 'Your page is hidden.');
    onChange();
  };
  return (
    <section class="card" aria-label="Your page">
      <div class="row between">
        <p class="address">
          {isVisible ? <a href={url}>{short(url)}</a> : <span>{short(url)}</span>}
        </p>
        <Switch label="Page visible" on={isVisible} onSwitch={() => void toggle()} />
      </div>
      <p class="muted">
        {isVisible
          ? 'Anybody with the address can see your page.'
          : 'Nobody can see your page: its address answers “not found”.'}
      </p>
      <div class="row">
        <Copy text={url} label="Copy address" />
        <button type="button" class="small" onClick={() => (isNaming.value = !isNaming.value)}>
          Change name
        </button>
      </div>
      {isNaming.value && (
        <NameForm
          current={name}
          onDone={() => {
            isNaming.value = false;
            onChange();
          }}
        />
      )}
      {isVisible && (
        <details>
          <summary>QR code</summary>
          <div class="code">
            <img
              src={`${url}/qr.svg`}
              alt={`QR code of ${url}`}
              width="160"
              height="160"
              loading="lazy"
            />
            {arePagesElsewhere ? (
              // Browsers save nothing from another host.
              <a href={`${url}/qr.svg`} target="_blank">
                Open as SVG
              </a>
            ) : (
              <a href={`${url}/qr.svg`} download>
                Download as SVG
              </a>
            )}
          </div>
        </details>
      )}
      <ApiCall
        endpoint="site.toggleSiteVisibility"
        also={[['site.getSiteStatus'], ['account.getDisplayName']]}
      />
    </section>
  );
}

function short(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
