import { Plate } from '../../parts/plate.tsx';
import { pagesUrl } from '../../session.ts';

/** The sign of a page that has no name yet, with the one that is typed. */
export function Unnamed({ typed }: { typed: string }) {
  const name = typed.trim().toLowerCase().replace(/\s+/g, '-');
  return (
    <div class="unnamed" aria-hidden="true">
      <Plate isOff={!name}>{name || 'your-name'}</Plate>
      <p class="hint">
        {new URL(pagesUrl).host}/@{name || 'your-name'}
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
