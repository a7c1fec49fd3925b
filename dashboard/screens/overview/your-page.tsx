import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Address, QrCode, ShareButton } from '#dashboard/components/page-address.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl, signInCount } from '#dashboard/session.ts';
import type { AccountSummary } from './account-summary.ts';
import { Redirects } from './redirects.tsx';
import { useRename } from './use-rename.tsx';
import type { PageViews } from './views.tsx';
import { owner } from '#dashboard/api/api.ts';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';

export function YourPage({
  state,
  views,
  onChange,
  onVisibilityChange,
}: {
  state: AccountSummary;
  views: PageViews | undefined;
  onChange: () => void;
  onVisibilityChange: (visible: boolean) => void;
}) {
  const { name, isVisible, wasPublished } = state;
  const [renameButton, renameDialog] = useRename(name, isVisible, onChange);
  const url = `${pagesUrl}/@${name}`;
  const plateStyle = { '--length': url.replace(/^https?:\/\//, '').length };
  return (
    <section class="card your-page" aria-label={t('Your page')}>
      <PagePreview key={`${name} ${signInCount.value}`} />
      <div class="facts">
        <div class="row between">
          <div class="row">
            <h2>{t('Your page')}</h2>
            <span class={isVisible ? 'pill good live' : 'pill'}>
              {isVisible ? t('page|Live') : t('Hidden')}
            </span>
          </div>
          {wasPublished && (
            <Switch label={t('Page visible')} checked={isVisible} onChange={onVisibilityChange} />
          )}
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
        <p class="hint">
          {isVisible
            ? t('Anyone with the address can see it.')
            : t('Only you can see your page until you publish it.')}{' '}
          {renameButton}
        </p>
        <Redirects name={name} />
        <div class="row">
          {!isVisible && (
            <button type="button" class="primary" onClick={() => onVisibilityChange(true)}>
              {t('Publish page')}
            </button>
          )}
          {!wasPublished && (
            <a class="button" href={dashboardHref('page')}>
              {t('Edit page')}
            </a>
          )}
          <CopyButton text={url} label={t('Copy address')} />
          {isVisible && <QrCode url={url} />}
          {isVisible && <ShareButton title={state.title} url={url} />}
        </div>
        {renameDialog}
        {wasPublished && <PageFacts state={state} views={views} />}
      </div>
    </section>
  );
}

const numberFormat = new Intl.NumberFormat(t.locale);
const LAST_CHANGE_QUERY = { kind: 'page', limit: 1 } as const;

function PageFacts({ state, views }: { state: AccountSummary; views: PageViews | undefined }) {
  const { themeName, blockCount } = state;
  const lastChange = useAsync(() => owner.events.listEvents(LAST_CHANGE_QUERY), [state]);
  const viewsToday = views?.days.at(-1)?.views;
  const [event] = lastChange.value?.events ?? [];
  return (
    <dl class="page-facts">
      <Fact title={t('Today')}>
        {viewsToday !== undefined &&
          t('{count, plural, one {# view} other {# views}}', { count: viewsToday })}
      </Fact>
      <Fact title={t('Theme')}>{themeName}</Fact>
      <Fact title={t('Blocks')}>{numberFormat.format(blockCount)}</Fact>
      <Fact title={t('Last change')}>{event && <TimeAgo time={event.created_at} />}</Fact>
    </dl>
  );
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children || '–'}</dd>
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
    <div class="page-preview" inert>
      <form
        ref={form}
        method="post"
        action="/dashboard/preview"
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
