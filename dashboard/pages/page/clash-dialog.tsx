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
    <Dialog title="The page was changed elsewhere, too" onCancel={() => onChoice(undefined)}>
      <p>
        In another window or by API, {partWords(parts)} changed after you began. Nothing was saved.
        What was changed there beside that stays either way, and every version can be restored.
      </p>
      <div class="actions">
        <button type="button" onClick={() => onChoice(undefined)}>
          Go on editing
        </button>
        <button type="button" onClick={() => onChoice('theirs')}>
          Take theirs
        </button>
        <button type="button" class="primary" onClick={() => onChoice('mine')}>
          Keep mine
        </button>
      </div>
    </Dialog>
  );
}
