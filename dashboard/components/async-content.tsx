import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { isOffline, isReachable } from '../api/connection.ts';
import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { AsyncState } from './use-async.ts';

/** Heights in rem of the cards of each column. */
const SHAPES = {
  list: [[24.75]],
  few: [[11]],
  stacked: [[16, 9.5]],
  split: [[35], [41]],
  numbers: [[28, 18]],
  form: [[12, 7.25, 12], [22.5]],
  columns: [
    [20, 13],
    [32.75, 6],
  ],
} as const;

export type ScreenShape = keyof typeof SHAPES;
/** Dialogs, which are outside of screens, use the default. */
export const ScreenShapeContext = createContext<ScreenShape>('columns');

/** After this time, `Loading` says that the server is slow. */
const SLOW_MS = 8_000;

/** Delay of an outline, from the first one if they replace each other. The document has the first. */
const OUTLINE_DELAY_MS = 400;
let outlinedSince = 0;
let outlinedUntil = performance.now();

/** Milliseconds until an outline that is rendered now becomes visible. */
function outlineDelay(): number {
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
  // What was asked for before the connection broke may never end.
  if (isOffline.value && !isReachable.value) return <ComesLater />;
  return (
    <div class={`loading ${shape}`} role="status" style={{ '--appear': `${delay}ms` }}>
      <span class="visually-hidden">{t('Loading…')}</span>
      <div class={SHAPES[shape].length > 1 ? 'outlines main-and-side' : 'outlines'}>
        {SHAPES[shape].map((heights, column) => (
          <div key={column}>
            {heights.map((height) => (
              <div key={height} class="card outline-rows" style={{ height: `${height}rem` }}>
                {BARS}
              </div>
            ))}
          </div>
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

/** More than fit: the style sheet hides the rest. */
const BARS = Array.from({ length: 16 }, (_, index) => <i key={index} />);

export function Failure({ state }: { state: Pick<AsyncState<unknown>, 'failure' | 'reload'> }) {
  // The banner says why, and the state reloads once the server can be reached.
  if (isOffline.value && !isReachable.value) return <ComesLater />;
  return (
    <div class="failure" role="alert">
      <span class="tile bad">
        <Icon path={ICON_PATHS.warning} />
      </span>
      <p class="strong">{t('This could not be loaded.')}</p>
      <p class="muted">{state.failure}</p>
      <button type="button" onClick={state.reload}>
        {t('Try again')}
      </button>
    </div>
  );
}

function ComesLater() {
  return <Empty title={t('You are offline. This loads when you are back.')} />;
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
        {state.failure && isReachable.value && <Failure state={state} />}
        {children(state.value)}
      </>
    );
  return state.failure ? <Failure state={state} /> : <Loading onRetry={state.reload} />;
}
