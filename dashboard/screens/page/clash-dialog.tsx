import { Dialog } from '../../parts/dialog.tsx';
import type { Clash } from './draft.ts';
import { partWords } from './parts.ts';

/** Asks whose change it shall be, where the site was changed elsewhere meanwhile. */
export function ClashDialog({
  clash: { parts },
  onChoice,
}: {
  clash: Clash;
  onChoice: (whose: 'mine' | 'theirs' | undefined) => void;
}) {
  return (
    <Dialog title="The page was also changed elsewhere" onCancel={() => onChoice(undefined)}>
      <p>
        In another window or by API, {partWords(parts)} changed after you began. Nothing was saved.
        Other changes made there are kept either way, and you can restore any version.
      </p>
      <div class="actions">
        <button type="button" onClick={() => onChoice(undefined)}>
          Keep editing
        </button>
        <button type="button" onClick={() => onChoice('theirs')}>
          Use their version
        </button>
        <button type="button" class="primary" onClick={() => onChoice('mine')}>
          Keep my version
        </button>
      </div>
    </Dialog>
  );
}
