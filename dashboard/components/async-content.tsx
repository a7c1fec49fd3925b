import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { AsyncState } from './use-async.ts';
import { t } from '../translate.ts';

/** A card of an outline: what it shows, and its height in rem, if needed also on a phone. */
type Outline = readonly [kind: 'rows' | 'chart' | 'stage', height: number, narrowHeight?: number];

interface Shape {
  layout?: string;
  /** Cards above the columns. */
  top?: readonly Outline[];
  columns: readonly (readonly Outline[])[];
}

/** The boxes of the loaded screens. */
const SHAPES = {
  list: { columns: [[['rows', 24.75]]] },
  few: { columns: [[['rows', 11]]] },
  keys: {
    columns: [
      [
        ['rows', 13.5],
        ['rows', 27, 35.25],
      ],
    ],
  },
  reports: {
    columns: [[['rows', 13, 29]]],
  },
  chart: {
    layout: 'pair',
    top: [['chart', 29.75]],
    columns: [[['rows', 15.5]], [['rows', 15.5]]],
  },
  mail: {
    columns: [
      [
        ['stage', 23.5, 28.25],
        ['rows', 8.25, 16.25],
      ],
    ],
  },
  editor: {
    layout: 'editor-outlines',
    columns: [[['rows', 60]], [['stage', 45]]],
  },
  home: {
    layout: 'main-and-side home-outlines',
    columns: [
      [
        ['chart', 20],
        ['rows', 8],
        ['rows', 13.25],
      ],
      [
        ['stage', 32.75],
        ['rows', 6],
      ],
    ],
  },
  projects: { columns: [[['chart', 20, 16.5]]] },
  preview: {
    layout: 'preview-outlines',
    columns: [
      [
        ['rows', 15.125],
        ['rows', 15],
      ],
      [['rows', 38]],
    ],
  },
  settings: {
    layout: 'main-and-side',
    columns: [
      [
        ['rows', 26.75],
        ['rows', 14],
      ],
      [
        ['rows', 15.5],
        ['rows', 17.5],
      ],
    ],
  },
  server: {
    layout: 'main-and-side',
    top: [
      ['rows', 11.25, 25],
      ['rows', 5.5, 11],
    ],
    columns: [
      [
        ['rows', 15.5],
        ['rows', 23.75],
      ],
      [
        ['rows', 17.25],
        ['rows', 13.75],
      ],
    ],
  },
} as const satisfies Record<string, Shape>;

export type ScreenShape = keyof typeof SHAPES;
/** Outside of screens, in dialogs, the default. */
export const ScreenShapeContext = createContext<ScreenShape>('settings');

/** After this time, `Loading` says that the server is slow. */
const SLOW_MS = 8_000;

/** Outlines appear after this time, also if one replaces another, such as that of the document. */
const OUTLINE_DELAY_MS = 400;
let outlinedSince = 0;
let outlinedUntil = performance.now();

/** Milliseconds until an outline that is shown now appears. */
export function outlineDelay(): number {
  const now = performance.now();
  if (now - outlinedUntil > 100) outlinedSince = now;
  return Math.max(0, outlinedSince + OUTLINE_DELAY_MS - now);
}

/** An outline of the current screen or, in a card, of some lines. */
export function Loading({ onRetry = () => location.reload() }: { onRetry?: () => void }) {
  const shape = useContext(ScreenShapeContext);
  const isSlow = useSignal(false);
  const delay = useMemo(outlineDelay, []);
  useEffect(() => {
    const timer = setTimeout(() => (isSlow.value = true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      outlinedUntil = performance.now();
    };
  }, []);
  const { layout = '', top = [], columns }: Shape = SHAPES[shape];
  return (
    <div
      class={shape === 'list' ? 'loading long' : 'loading'}
      role="status"
      style={{ '--appear': `${delay}ms` }}
    >
      <span class="visually-hidden">{t('Loading…')}</span>
      <div class={`outlines ${layout}`}>
        {drawOutlines(top)}
        {columns.map((cards, index) => (
          <div key={index}>{drawOutlines(cards)}</div>
        ))}
      </div>
      {BARS}
      {isSlow.value && (
        <p class="panel row loading-slow">
          {t('Still loading…')}
          <button type="button" class="link" onClick={onRetry}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  );
}

/** As many as fit are seen. */
const BARS = Array.from({ length: 16 }, (_, index) => <i key={index} />);

function drawOutlines(cards: readonly Outline[]) {
  return cards.map(([kind, height, narrowHeight = height], index) => (
    <div
      key={index}
      class={`card outline-${kind}`}
      style={{ '--height': `${height}rem`, '--narrow-height': `${narrowHeight}rem` }}
    >
      {kind === 'rows' && BARS}
    </div>
  ));
}

export function Failure({ state }: { state: Pick<AsyncState<unknown>, 'failure' | 'reload'> }) {
  return (
    <div class="failure" role="alert">
      <span class="tile bad">
        <Icon path={ICON_PATHS.warning} />
      </span>
      <p class="strong">{t('This did not load')}</p>
      <p class="muted">{state.failure}</p>
      <button type="button" onClick={state.reload}>
        {t('Try again')}
      </button>
    </div>
  );
}

export function Empty({
  icon,
  title,
  children,
}: {
  icon?: string;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {icon && (
        <span class="tile">
          <Icon path={icon} />
        </span>
      )}
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** After a failed reload, shows the error and the old value. */
export function AsyncContent<Value>({
  state,
  children,
}: {
  state: AsyncState<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  if (state.value !== undefined)
    return (
      <>
        {state.failure && <Failure state={state} />}
        {children(state.value)}
      </>
    );
  return state.failure ? <Failure state={state} /> : <Loading onRetry={state.reload} />;
}
