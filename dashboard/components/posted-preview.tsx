import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isReachable, reportUnreachable } from '#dashboard/api/connection.ts';
import { signInCount } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { Icon } from './icon.tsx';
import './posted-preview.css';
import { SegmentedControl } from './segmented-control.tsx';
import { useElementSize } from './use-element-size.ts';

/** Scripts do not run in preview frames, but the dashboard can read their documents. */
export const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

export type PreviewScheme = 'light' | 'dark';
export type Device = 'phone' | 'desktop';

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

interface View {
  device: Signal<Device>;
  scheme: Signal<PreviewScheme>;
}

export function prefersScheme(): PreviewScheme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function PreviewHead({ device, scheme }: View) {
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

/**
 * A document that the server renders from `json`. Each change is posted into a new frame, which
 * replaces the old one once it has loaded. That way nothing flickers, the scroll position stays,
 * and previews do not fill the browser history.
 */
export function PostedPreview({
  action,
  field,
  json,
  version = '',
  title,
  device,
  show,
  children,
}: {
  action: string;
  /** Name of the form's only field. */
  field: string;
  json: string;
  /** Posts again whenever it changes. */
  version?: string;
  title: string;
  device: Device;
  /** Returns false if the frame has an error. The former frame then stays. */
  show: (frame: HTMLIFrameElement) => boolean;
  children?: ComponentChildren;
}) {
  const form = useRef<HTMLFormElement>(null);
  const screenArea = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(screenArea);
  const frames = useFrames(`${version} ${json}`, form);
  const onFrameLoad = (id: number, frame: HTMLIFrameElement) => {
    try {
      // New frames also fire `load` for about:blank.
      if (!frames.isPosted(id) || frame.contentWindow?.location.href === 'about:blank') return;
      if (show(frame)) frames.show(id);
      else frames.remove(id);
    } catch {
      // The browser shows its own error page, which scripts cannot read.
      frames.remove(id);
      reportUnreachable();
    }
  };
  const viewportWidth =
    device === 'phone' && width >= MIN_PHONE_WIDTH_PX ? width : VIEWPORT_WIDTHS_PX[device];
  const scale = width / viewportWidth;
  return (
    <div class={`device ${device}`}>
      <form ref={form} method="post" action={action} encType="text/plain" hidden>
        <input type="hidden" name={field} value={json} />
      </form>
      {children}
      <div ref={screenArea} class="preview-screen">
        {frames.ids.map((id) => (
          <iframe
            key={id}
            name={frameName(id)}
            title={title}
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
    },
  };
}

function frameName(id: number): string {
  return `preview-${id}`;
}
