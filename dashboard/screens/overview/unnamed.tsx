import { type NameCheck, NamePlate } from '#dashboard/parts/name-field.tsx';
import { pagesUrl } from '#dashboard/session.ts';

/** The sign of a page that has no name yet, with the one that is typed. */
export function Unnamed({ checked }: { checked: NameCheck | undefined }) {
  return (
    <div class="unnamed" aria-hidden="true">
      <NamePlate checked={checked} />
      <p class="hint">
        {new URL(pagesUrl).host}/@{checked?.display_name ?? 'your-name'}
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
