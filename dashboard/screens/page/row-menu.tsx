import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu, type MenuItem } from '#dashboard/components/menu.tsx';
import { t } from '#dashboard/translate.ts';
import {
  deleteBlock,
  duplicateBlock,
  draftBlocks,
  moveBlock,
  setBlockEnabled,
} from './block-actions.ts';
import { openBlockPicker } from './block-picker.tsx';
import type { Block } from './site.ts';

/** `label` names the block for screen readers. */
export function RowMenu({ block, label, index }: { block: Block; label: string; index: number }) {
  const { id, enabled } = block;
  const items = (): MenuItem[] => [
    {
      label: t('Move up'),
      iconPath: 'M8 13V3M4 7l4-4 4 4',
      isDisabled: index === 0,
      run: () => moveBlock(id, index - 1),
    },
    {
      label: t('Move down'),
      iconPath: 'M8 3v10M4 9l4 4 4-4',
      isDisabled: index === draftBlocks.peek().length - 1,
      run: () => moveBlock(id, index + 1),
    },
    {
      label: t('Add block below'),
      iconPath: ICON_PATHS.plus,
      run: () => openBlockPicker(index + 1),
    },
    {
      label: t('Duplicate'),
      iconPath: ICON_PATHS.copy,
      run: () => duplicateBlock(id),
    },
    {
      label: enabled ? t('Hide') : t('Show'),
      iconPath: ICON_PATHS.eye,
      run: () => setBlockEnabled(id, !enabled),
    },
    { label: t('Delete'), iconPath: BIN_ICON, isDangerous: true, run: () => deleteBlock(id) },
  ];
  return <Menu label={t('More for {block}', { block: label })} items={items} />;
}

export const BIN_ICON = 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.7 7.2v3.6M9.3 7.2v3.6';
