import type { ComponentChildren } from 'preact';
import { LINES } from './icon-lines.ts';
import { Icon } from './icon.tsx';
import type { Loaded } from './use-loaded.ts';

/** Loading sign; what takes no time is not announced. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what}…
    </p>
  );
}

/** Why something is not there, and a way to try again. */
export function Failure({
  of,
  sentence,
}: {
  of: Pick<Loaded<unknown>, 'failure' | 'reload'>;
  sentence?: string;
}) {
  return (
    <div class="failure" role="alert">
      <span class="tile bad">
        <Icon lines={LINES.warning} />
      </span>
      <p>{sentence ?? of.failure}</p>
      <button type="button" onClick={of.reload}>
        Try again
      </button>
    </div>
  );
}

/** Sign that there is nothing yet, and what to do about it. */
export function Empty({
  icon,
  title,
  children,
}: {
  /** Lines of an icon. */
  icon?: string;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {icon && (
        <span class="tile">
          <Icon lines={icon} />
        </span>
      )}
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** Shows what was loaded; until then, or if there is nothing to show, says so. */
export function Show<Value>({
  loaded,
  children,
}: {
  loaded: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  if (loaded.value !== undefined)
    return (
      <>
        {loaded.failure && <Failure of={loaded} />}
        {children(loaded.value)}
      </>
    );
  return loaded.failure ? <Failure of={loaded} /> : <Loading />;
}
