import { Dialog } from '../../parts/dialog.tsx';
import type { Clash } from './draft.ts';

const NAMES: Readonly<Record<string, string>> = {
  display_name: 'the title',
  bio: 'the bio',
  avatar_url: 'the picture',
  location: 'the place',
  mood: 'the mood',
  theme_id: 'the theme',
  custom_theme: 'your own colours',
  blocks: 'the blocks',
};

/** Asks whose change it shall be, where the site was changed elsewhere meanwhile. */
export function ClashDialog({
  clash: { parts },
  onChoice,
}: {
  clash: Clash;
  onChoice: (whose: 'mine' | 'theirs' | undefined) => void;
}) {
  const both = new Intl.ListFormat('en').format(parts.map((part) => NAMES[part] ?? part));
  return (
    <Dialog title="The page was changed elsewhere, too" onCancel={() => onChoice(undefined)}>
      <p>
        In another window or by API, {both} changed after you began. Nothing was saved. What was
        changed there beside that stays either way, and every version can be restored.
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
