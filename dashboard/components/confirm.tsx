import type { ComponentChildren } from 'preact';
import { t } from '../translate.ts';
import { showDialog } from './dialog.tsx';

export async function confirm({
  title,
  text,
  action,
  isDangerous = true,
  alternative,
}: {
  title: string;
  text: ComponentChildren;
  action: string;
  isDangerous?: boolean;
  /** A button in place of “Cancel”. */
  alternative?: { label: string; run: () => void };
}): Promise<boolean> {
  const isConfirmed = await showDialog(title, (close) => (
    <>
      <p>{text}</p>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            close();
            alternative?.run();
          }}
        >
          {alternative?.label ?? t('Cancel')}
        </button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'primary'}
          onClick={() => close(true)}
        >
          {action}
        </button>
      </div>
    </>
  ));
  return isConfirmed ?? false;
}
