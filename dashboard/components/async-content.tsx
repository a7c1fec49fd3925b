import type { ComponentChildren } from 'preact';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { AsyncState } from './use-async.ts';

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** An error message with a retry button. */
export function Failure({ state }: { state: Pick<AsyncState<unknown>, 'failure' | 'reload'> }) {
  return (
    <div class="failure" role="alert">
      <span class="tile bad">
        <Icon path={ICON_PATHS.warning} />
      </span>
      <p>{state.failure}</p>
      <button type="button" onClick={state.reload}>
        Try again
      </button>
    </div>
  );
}

/** Placeholder for an empty list, with an optional next step. */
export function Empty({
  icon,
  title,
  children,
}: {
  /** SVG path. */
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

/** Renders the loaded value, a loading sign, or an error. After a failed reload it shows the error and the old value. */
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
