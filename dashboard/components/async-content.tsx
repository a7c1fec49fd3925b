import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { AsyncState } from './use-async.ts';
import { t } from '../translate.ts';

/** The cards of a screen, by column. */
const SHAPES = {
  list: [['rows']],
  form: [['fields', 'rows']],
  chart: [['chart', 'rows']],
  mail: [['plate', 'rows']],
  editor: [['rows'], ['phone']],
  home: [
    ['chart', 'rows'],
    ['phone', 'rows'],
  ],
  projects: [['rows'], ['rows'], ['rows']],
  preview: [['fields', 'fields'], ['phone']],
  settings: [
    ['fields', 'rows'],
    ['rows', 'fields'],
  ],
  server: [
    ['rows', 'rows'],
    ['rows', 'rows'],
  ],
} as const;

export type ScreenShape = keyof typeof SHAPES;
export const ScreenShapeContext = createContext<ScreenShape>('list');

/** Classes by number of columns. */
const LAYOUTS = ['', '', 'main-and-side', 'projects'];

const PARTS = Array.from({ length: 7 }, (_, index) => <i key={index} />);

/** A skeleton of the current screen or, in a card, of some lines. */
export function Loading() {
  const shape = useContext(ScreenShapeContext);
  const columns = SHAPES[shape];
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{t('Loading…')}</span>
      <div class={`outlines ${LAYOUTS[columns.length]}`}>
        {shape === 'server' && <div class="card outline-rows">{PARTS.slice(0, 3)}</div>}
        {shape === 'server' && <div class="card outline-numbers">{PARTS}</div>}
        {columns.map((cards, index) => (
          <div key={index}>
            {cards.map((kind) => (
              <div key={kind} class={`card outline-${kind}`}>
                {PARTS}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

export function Failure({ state }: { state: Pick<AsyncState<unknown>, 'failure' | 'reload'> }) {
  return (
    <div class="failure" role="alert">
      <span class="tile bad">
        <Icon path={ICON_PATHS.warning} />
      </span>
      <p>{state.failure}</p>
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
  return state.failure ? <Failure state={state} /> : <Loading />;
}
