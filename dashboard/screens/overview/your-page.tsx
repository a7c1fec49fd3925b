import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { Popover } from '#dashboard/components/popover.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { hasSeparatePagesHost, pagesUrl, signInCount } from '#dashboard/session.ts';
import type { AccountState } from './account-state.ts';
import { RenameDialog } from './rename-dialog.tsx';
import type { PageViews } from './views.tsx';
import { owner } from '#dashboard/api/api.ts';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';

const SHARE_ICON =
  'M4 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M12 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M12 14.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5.8 7l4.4-2.5M5.8 9l4.4 2.5';

export function YourPage({
  state,
  views,
  onChange,
  onVisibilityChange,
}: {
  state: AccountState;
  views: PageViews | undefined;
  onChange: () => void;
  onVisibilityChange: (visible: boolean) => void;
}) {
  const { name, isVisible } = state;
  const isRenaming = useSignal(false);
  const wasHidden = useRef(!isVisible);
  const url = `${pagesUrl}/@${name}`;
  return (
    <section class="card your-page" aria-label={t('Your page')}>
      <PagePicture key={`${name} ${signInCount.value}`} />
      <div class="facts">
        <div class="row between">
          <div class="row">
            <h2>{t('Your page')}</h2>
            <span class={isVisible ? 'pill good live' : 'pill'}>
              {isVisible ? t('page|Live') : t('Hidden')}
            </span>
          </div>
          <Switch label={t('Page visible')} checked={isVisible} onChange={onVisibilityChange} />
        </div>
        {isVisible ? (
          // The plate is animated when the user publishes the page.
          <a class={wasHidden.current ? 'plate hung' : 'plate'} href={url}>
            <Address name={name} />
          </a>
        ) : (
          <div class="plate">
            <Address name={name} />
          </div>
        )}
        <p class="hint">
          {isVisible
            ? t('Anyone with the address can see your page.')
            : t('Only you can see your page until you publish it.')}
        </p>
        <div class="row">
          <CopyButton text={url} label={t('Copy address')} />
          {isVisible && <QrCode url={url} />}
          {isVisible && 'share' in navigator && (
            <button
              type="button"
              // `share` rejects if the user closes the share sheet.
              onClick={() => void navigator.share({ title: state.title, url }).catch(() => {})}
            >
              <Icon path={SHARE_ICON} />
              {t('Share')}
            </button>
          )}
          <button type="button" class="quiet" onClick={() => (isRenaming.value = true)}>
            {t('Change name')}
          </button>
        </div>
        {isRenaming.value && (
          <RenameDialog
            currentName={name}
            onCancel={() => (isRenaming.value = false)}
            onDone={() => {
              isRenaming.value = false;
              onChange();
            }}
          />
        )}
        <PageFacts state={state} views={views} />
      </div>
      <ApiCall
        endpoint="page.setVisibility"
        input={{ visible: !isVisible }}
        otherCalls={[
          ['site.toggleSiteVisibility'],
          ['site.getSiteStatus'],
          ['account.getDisplayName'],
          ['account.updateDisplayName', { display_name: 'Jane Doe' }],
        ]}
      />
    </section>
  );
}

function Address({ name }: { name: string }) {
  return (
    <span>
      <span class="host">{new URL(pagesUrl).host}/</span>
      <b>@{name}</b>
    </span>
  );
}

function QrCode({ url }: { url: string }) {
  return (
    <Popover
      buttonClass="button"
      button={
        <>
          <Icon path={ICON_PATHS.qr} />
          {t('QR code')}
        </>
      }
      label={t('QR code of {url}', { url })}
      class="qr sheet"
    >
      {() => (
        <>
          <img
            src={`${url}/qr.svg`}
            alt={t('QR code of {url}', { url })}
            width="224"
            height="224"
          />
          <p class="hint">{t('Scan to open {url}', { url: url.replace(/^https?:\/\//, '') })}</p>
          {hasSeparatePagesHost ? (
            // Browsers ignore `download` on links to another host.
            <a class="button" href={`${url}/qr.svg`} target="_blank">
              {t('Open as SVG')}
            </a>
          ) : (
            <div class="row">
              <button
                type="button"
                onClick={() => void withErrorMessage(downloadPng(`${url}/qr.svg`))}
              >
                <Icon path={ICON_PATHS.download} />
                PNG
              </button>
              <a class="button" href={`${url}/qr.svg`} download>
                <Icon path={ICON_PATHS.download} />
                SVG
              </a>
            </div>
          )}
        </>
      )}
    </Popover>
  );
}

/** In pixels. Sharp enough for a poster. */
const PNG_SIZE = 2_048;

/** Converts a square SVG from this host to PNG and downloads it. */
async function downloadPng(svgUrl: string): Promise<void> {
  const image = new Image(PNG_SIZE, PNG_SIZE);
  image.src = svgUrl;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PNG_SIZE;
  canvas.getContext('2d')!.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = 'qr-code.png';
  link.click();
}

const numberFormat = new Intl.NumberFormat(t.locale);
const LAST_CHANGE_QUERY = { kind: 'page', limit: 1 } as const;

function PageFacts({ state, views }: { state: AccountState; views: PageViews | undefined }) {
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

const FRAME_NAME = 'page-picture';

/** A small preview of the page, loaded when the browser is idle. */
function PagePicture() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const submitForm = () => form.current?.submit();
    if (!('requestIdleCallback' in window)) return submitForm();
    const idleCallbackId = requestIdleCallback(submitForm);
    return () => cancelIdleCallback(idleCallbackId);
  }, []);
  return (
    <div class="page-picture" inert>
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
      <iframe name={FRAME_NAME} title={t('Your page')} sandbox="allow-same-origin" tabIndex={-1} />
    </div>
  );
}
