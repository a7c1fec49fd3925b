import { type NameCheck, NamePlate } from '#dashboard/components/name-field.tsx';
import { pagesUrl } from '#dashboard/session.ts';

/** The sign of a page that has no name yet, with the one that is typed. */
export function UnnamedPage({ nameCheck }: { nameCheck: NameCheck | undefined }) {
  return (
    <div class="unnamed" aria-hidden="true">
      <NamePlate nameCheck={nameCheck} />
      <p class="hint">
        {new URL(pagesUrl).host}/@{nameCheck?.display_name ?? 'your-name'}
      </p>
      <div class="sketch">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
