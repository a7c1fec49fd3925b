import type { ComponentChildren } from 'preact';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import type { AsyncState } from './use-async.ts';
import { t } from '../translate.ts';

export function Loading() {
  return (
    <p class="loading" role="status">
      <span class="visually-hidden">{t('Loading…')}</span>
    </p>
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
