import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isReachable, reportUnreachable } from '#dashboard/api/connection.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { signInCount } from '#dashboard/session.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { t } from '#dashboard/translate.ts';
import { selectedId } from './block-actions.ts';
import { draft } from './current-draft.ts';
import { blockLabel } from './kinds.ts';
import {
  addPlaceholders,
  showMissingBlocks,
  type ColorScheme,
  stylePreview,
  onBlockClick,
  scrollToBlock,
  watchPictureErrors,
} from './preview-document.ts';
import { type Site, toRequest } from './site.ts';
import { SANDBOX, startThumbnails } from './thumbnail.tsx';
import { useElementSize } from '#dashboard/components/use-element-size.ts';

/** An earlier version that the preview shows instead of the draft. */
export const viewedVersion = signal<{ version: number; site: Site }>();

type Device = 'phone' | 'desktop';

const VIEWPORT_WIDTHS_PX: Readonly<Record<Device, number>> = { phone: 390, desktop: 1280 };
/** If the preview is at least this wide, the phone uses the full width instead of being scaled. */
const MIN_PHONE_WIDTH_PX = 350;

const iconLabel = (path: string, name: string): ComponentChildren => (
  <>
    <Icon path={path} />
    <span class="visually-hidden">{name}</span>
  </>
);
const DEVICES = [
  [
    'phone',
    iconLabel(
      'M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1M8 12v.01',
      t('Phone'),
    ),
  ],
  ['desktop', iconLabel('M2 2.5h12v8.5H2zM5.5 14h5M8 11v3', t('Desktop'))],
] as const;
const SCHEMES = [
  [
    'light',
    iconLabel(
      'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.3v1M8 13.7v1M1.3 8h1M13.7 8h1M3.3 3.3l.7.7M12 12l.7.7M3.3 12.7 4 12M12 4l.7-.7',
      t('Light'),
    ),
  ],
  ['dark', iconLabel('M13.8 9.3A6 6 0 1 1 6.7 2.2a4.7 4.7 0 0 0 7.1 7.1', t('Dark'))],
] as const;

const device = signal<Device>('phone');
const scheme = signal<ColorScheme>(
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
);

/**
 * A preview of the draft, rendered by the server. Each change is posted into a new frame, which
 * replaces the old one once it has loaded. That way nothing flickers, the scroll position stays,
 * and previews do not fill the browser history.
 */
export function Preview({
  onOpen,
  onBlockSelect,
  onRestore,
}: {
  /** Called if the small preview on narrow screens is pressed. */
  onOpen: () => void;
  onBlockSelect: () => void;
  onRestore: (version: number) => void;
}) {
  const requestJson = useDebounced(
    JSON.stringify(
      viewedVersion.value ? toRequest(viewedVersion.value.site) : draft.changesToSave(),
    ),
  );
  // The request has only unsaved changes. It stays empty if a change is saved before the delay ends.
  const version = useDebounced(draft.version.value);
  const form = useRef<HTMLFormElement>(null);
  const screenArea = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(screenArea);
  const frames = useFrames(`${version} ${requestJson}`, form);
  const document = useRenderedDocument(onBlockSelect);
  const onFrameLoad = (id: number, frame: HTMLIFrameElement) => {
    try {
      // New frames also fire `load` for about:blank.
      if (!frames.isPosted(id) || frame.contentWindow?.location.href === 'about:blank') return;
      if (document.show(frame)) frames.show(id);
      else frames.remove(id);
    } catch {
      // The browser shows its own error page, which scripts cannot read.
      frames.remove(id);
      reportUnreachable();
    }
  };
  const viewportWidth =
    device.value === 'phone' && width >= MIN_PHONE_WIDTH_PX
      ? width
      : VIEWPORT_WIDTHS_PX[device.value];
  const scale = width / viewportWidth;
  return (
    <section class="preview" aria-label={t('Preview')}>
      <PreviewHead />
      <form ref={form} method="post" action="/dashboard/preview" encType="text/plain" hidden>
        <input type="hidden" name="site" value={requestJson} />
      </form>
      <PreviewNotes {...document} onRestore={onRestore} />
      <div class={`device ${device.value}`}>
        <button type="button" class="open-preview" aria-label={t('Preview')} onClick={onOpen} />
        <div ref={screenArea} class="preview-screen">
          {frames.ids.map((id) => (
            <iframe
              key={id}
              name={frameName(id)}
              title={t('Preview of your page')}
              class={id === frames.visibleId ? 'shown' : undefined}
              sandbox={SANDBOX}
              style={{
                width: `${viewportWidth}px`,
                height: `${height / scale}px`,
                transform: `scale(${scale})`,
              }}
              onLoad={(event) => onFrameLoad(id, event.currentTarget)}
            />
          ))}
          {!isReachable.value && <p class="veil">{t('Preview paused')}</p>}
        </div>
      </div>
    </section>
  );
}

/** The visible frame, and the newest one, into which the form is posted. */
function useFrames(content: string, form: RefObject<HTMLFormElement | null>) {
  const ids = useSignal<readonly number[]>([]);
  const visibleId = useSignal(0);
  const lastId = useRef(0);
  const postedId = useRef(0);
  useEffect(() => {
    if (!isReachable.value) return;
    lastId.current += 1;
    ids.value = [...ids.peek().filter((id) => id === visibleId.peek()), lastId.current];
  }, [content, signInCount.value, isReachable.value]);
  const newestId = ids.value.at(-1);
  useEffect(() => {
    if (newestId === undefined || postedId.current === newestId) return;
    postedId.current = newestId;
    form.current!.target = frameName(newestId);
    form.current!.submit();
  }, [newestId]);
  return {
    ids: ids.value,
    visibleId: visibleId.value,
    isPosted: (id: number) => postedId.current === id,
    remove: (id: number) => {
      ids.value = ids.peek().filter((frameId) => frameId !== id);
    },
    show: (id: number) => {
      visibleId.value = id;
      ids.value = [id];
      startThumbnails();
    },
  };
}

/** The last preview that could be made, and the error of a later one. */
function useRenderedDocument(onBlockSelect: () => void) {
  const content = useSignal<Document | undefined>(undefined);
  const errorText = useSignal('');
  const brokenPictures = useSignal<readonly string[]>([]);
  useSignalEffect(() => {
    if (!content.value) return;
    stylePreview(content.value, scheme.value, selectedId.value);
    scrollToBlock(content.value, selectedId.value);
  });
  /** Returns false if the frame has an error, which is then shown above the last preview. */
  const show = (frame: HTMLIFrameElement): boolean => {
    const rendered = frame.contentDocument;
    errorText.value = rendered?.querySelector('main.h-card')
      ? ''
      : (rendered?.querySelector('h1')?.textContent ?? '');
    if (errorText.value) return false;
    if (!rendered!.querySelector('[data-block]:not(.profile)')) addPlaceholders(rendered!);
    showMissingBlocks(
      rendered!,
      (viewedVersion.peek()?.site ?? draft.site.peek()!).blocks
        .filter(({ enabled }) => enabled)
        .map((block) => ({ id: block.id, label: blockLabel(block) })),
    );
    brokenPictures.value = [];
    watchPictureErrors(rendered!, (blockId) => {
      // Pictures are requested again, so one can fail after its preview was replaced.
      if (content.peek() === rendered && !brokenPictures.peek().includes(blockId))
        brokenPictures.value = [...brokenPictures.peek(), blockId];
    });
    onBlockClick(rendered!, (blockId) => {
      if (viewedVersion.peek()) return;
      selectedId.value = blockId;
      onBlockSelect();
    });
    frame.contentWindow!.scrollTo(0, content.peek()?.defaultView?.scrollY ?? 0);
    content.value = rendered!;
    return true;
  };
  return { errorText: errorText.value, brokenPictures: brokenPictures.value, show };
}

function PreviewHead() {
  return (
    <div class="card-head">
      <h2>{t('Preview')}</h2>
      <SegmentedControl
        label={t('device|Screen')}
        value={device.value}
        options={DEVICES}
        onValue={(next) => (device.value = next)}
      />
      <SegmentedControl
        label={t('light or dark|Appearance')}
        value={scheme.value}
        options={SCHEMES}
        onValue={(next) => (scheme.value = next)}
      />
    </div>
  );
}

function PreviewNotes({
  errorText,
  brokenPictures,
  onRestore,
}: {
  errorText: string;
  brokenPictures: readonly string[];
  onRestore: (version: number) => void;
}) {
  return (
    <div class="notes" role="status">
      {viewedVersion.value && (
        <p class="banner">
          <span class="grow">
            {t('Version {version}', { version: viewedVersion.value.version })}
          </span>
          <button type="button" onClick={() => onRestore(viewedVersion.peek()!.version)}>
            {t('Restore')}
          </button>
          <button type="button" onClick={() => (viewedVersion.value = undefined)}>
            {t('Back to your draft')}
          </button>
        </p>
      )}
      {errorText && <p class="banner">{errorText}</p>}
      {brokenPictures.map((blockId) => (
        <p key={blockId} class="banner">
          {t('{block}: the picture could not be loaded.', { block: blockNameFor(blockId) })}
        </p>
      ))}
    </div>
  );
}

function blockNameFor(blockId: string): string {
  const site = viewedVersion.value?.site ?? draft.site.value;
  const block = site?.blocks.find(({ id }) => id === blockId);
  return block ? blockLabel(block) : t('Profile');
}

function frameName(id: number): string {
  return `preview-${id}`;
}
