import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../translate.ts';
import { CopyButton } from './copy-button.tsx';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';

/** Shows a secret until the owner confirms that they saved it. */
export function ShownOnce({
  title,
  secret,
  copyLabel,
  onDone,
  children,
}: {
  title: string;
  secret: string;
  copyLabel: string;
  onDone: () => void;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [secret]);
  return (
    <section class="card shown-once">
      <div class="row">
        <span class="step-marker done">
          <Icon path={ICON_PATHS.check} />
        </span>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </div>
      <div class="code">
        <code class="secret">{secret}</code>
        <CopyButton text={secret} label={copyLabel} isPrimary />
      </div>
      {children}
      <div class="row between">
        <p class="note">
          <Icon path={ICON_PATHS.warning} />
          {t('Copy it now. It is shown only this once.')}
        </p>
        <button type="button" onClick={onDone}>
          {t('I saved it')}
        </button>
      </div>
    </section>
  );
}
