import type { ComponentType } from 'preact';
import type { OptionalFeature } from '#contract/shared/optional-features.ts';
import type { ScreenShape } from '../components/async-content.tsx';
import type { ToDo } from '../current-account.ts';
import type { pageDraft } from '../draft-storage.ts';

/** `screens/<noun>/screen.ts` declares one, and `screens/screens.ts` lists them. */
export interface Screen {
  /** Path after `/dashboard/`. The screen also handles the paths below it. */
  path: string;
  title: string;
  /** Of screens in the navigation. */
  icon?: string;
  group: 'own' | 'developer' | 'people' | 'server';
  /** Shown in the tab bar of narrow windows, not under “More”. */
  isTab?: boolean;
  /** Path of the screen that links to this one. The navigation shows that screen instead. */
  parent?: string;
  /** Without this feature, the screen does not exist. */
  needs?: OptionalFeature;
  /** Its unsaved changes, which the navigation marks. */
  draft?: Pick<typeof pageDraft, 'hasUnsavedChanges'>;
  /** What the navigation counts at this screen. “Your server” has all others. */
  toDoCodes?: readonly ToDo['code'][];
  /** What to outline while the screen loads. Default: a list. */
  shape?: ScreenShape;
  load: () => Promise<ComponentType>;
}
