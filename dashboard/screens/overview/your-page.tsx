import { useEffect, useRef } from 'preact/hooks';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Address, QrCode, ShareButton } from '#dashboard/components/page-address.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pageSuspensionReason } from '#dashboard/current-account.ts';
import { VISIBILITIES } from '#dashboard/page-visibility.ts';
import { PREVIEW_PATH } from '#dashboard/router.ts';
import { pagesUrl, signInCount } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import type { AccountSummary } from './load-summary.ts';
import { useRename } from './use-rename.tsx';

export function YourPage({
  state,
  onChange,
  onVisibilityChange,
}: {
  state: AccountSummary;
  onChange: () => void;
  onVisibilityChange: (visibility: PageVisibility) => void;
}) {
  const { name, visibility } = state;
  const isVisible = visibility !== 'hidden';
  const [renameButton, renameDialog] = useRename(name, visibility === 'public', onChange);
  const isSuspended = pageSuspensionReason.value !== null;
  const url = `${pagesUrl}/@${name}`;
  const plateStyle = { '--length': url.replace(/^https?:\/\//, '').length };
  return (
    <section class="card your-page" aria-label={t('Your page')}>
      <PagePreview key={`${name} ${signInCount.value}`} />
      <div class="facts">
        <div class="row between">
          <h2>{t('Your page')}</h2>
          <span class="hint">{renameButton}</span>
        </div>
        {isVisible ? (
          <a class="plate" style={plateStyle} href={url}>
            <Address name={name} />
          </a>
        ) : (
          <div class="plate" style={plateStyle}>
            <Address name={name} />
          </div>
        )}
        {!isSuspended && <Visibility value={visibility} onChange={onVisibilityChange} />}
        <Redirects name={name} />
        <div class="row">
          <CopyButton
            text={url}
            label={t('Copy address')}
            isPrimary={isVisible && !state.hadVisits}
          />
          {isVisible && <QrCode url={url} />}
          {isVisible && <ShareButton title={state.title} url={url} />}
        </div>
        {renameDialog}
      </div>
    </section>
  );
}

function Visibility({
  value,
  onChange,
}: {
  value: PageVisibility;
  onChange: (visibility: PageVisibility) => void;
}) {
  return (
    <div class="visibility">
      <SegmentedControl
        label={t('Who can see your page')}
        look="wide segments"
        value={value}
        options={VISIBILITIES.map((option) => [option.value, option.title] as const)}
        onValue={onChange}
      />
      <p class="hint">{VISIBILITIES.find((option) => option.value === value)?.description}</p>
    </div>
  );
}

const FRAME_NAME = 'page-preview';

/** A small preview of the page, loaded when the browser is idle. */
function PagePreview() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const submitForm = () => form.current?.submit();
    if (!('requestIdleCallback' in window)) return submitForm();
    const idleCallbackId = requestIdleCallback(submitForm);
    return () => cancelIdleCallback(idleCallbackId);
  }, []);
  return (
    <div class="page-preview wall" inert>
      <form
        ref={form}
        method="post"
        action={PREVIEW_PATH}
        encType="text/plain"
        target={FRAME_NAME}
        hidden
      >
        <input type="hidden" name="site" value="{}" />
      </form>
      <iframe
        name={FRAME_NAME}
        title={t('Your page')}
        sandbox="allow-same-origin"
        tabIndex={-1}
        scrolling="no"
      />
    </div>
  );
}

const dateFormat = new Intl.DateTimeFormat(t.locale, { day: 'numeric', month: 'long' });

function Redirects({ name }: { name: string }) {
  const redirects = useAsync(() => owner.account.listRedirects(), [name]);
  const formerNames = redirects.value?.redirects ?? [];
  if (formerNames.length === 0) return null;
  const stop = async () => {
    if (!(await withErrorMessage(owner.account.deleteRedirects()))) return;
    showMessage(t('Your old address no longer redirects to your page.'));
    redirects.reload();
  };
  return (
    <p class="hint">
      {formerNames.map(({ display_name, expires_at }) => (
        <span key={display_name}>
          {t('@{name} redirects to your page until {date}.', {
            name: display_name,
            date: dateFormat.format(new Date(expires_at)),
          })}{' '}
        </span>
      ))}
      <button type="button" class="link" onClick={() => void stop()}>
        {t('Stop redirecting')}
      </button>
    </p>
  );
}
