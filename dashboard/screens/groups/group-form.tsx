import { signal } from '@preact/signals';
import { GROUP_COLORS, type GroupColor } from '#contract/shared/group-colors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';
import './groups.css';

export type Group = ResponseOf<typeof owner.groups.listGroups>['groups'][number];

const COLOR_NAMES: Readonly<Record<GroupColor, string>> = {
  blue: t('color|Blue'),
  orange: t('color|Orange'),
  green: t('color|Green'),
  yellow: t('color|Yellow'),
  purple: t('color|Purple'),
  gray: t('color|Gray'),
};

/** Creates a group, or changes `group`. */
export function showGroupForm(group: Group | undefined, onSaved: () => void): void {
  const name = signal(group?.name ?? '');
  const color = signal<GroupColor>((group?.color as GroupColor | undefined) ?? 'blue');
  void showFormDialog({
    title: group?.name ?? t('New group'),
    fields: ['name'],
    submitLabel: group ? t('Save') : t('Create group'),
    onSubmit: async () => {
      const fields = { name: name.value.trim(), color: color.value };
      if (group) await owner.groups.updateGroup({ group_id: group.id, ...fields });
      else await owner.groups.createGroup(fields);
      onSaved();
    },
    render: () => (
      <>
        <BoundField
          signal={name}
          name="name"
          label={t('Name')}
          required
          maxLength={LIMITS.groupName}
          autocomplete="off"
        />
        <div class="field">
          <p class="label">{t('Color')}</p>
          <div class="row" role="radiogroup" aria-label={t('Color')}>
            {GROUP_COLORS.map((value) => (
              <label key={value} class={`picture-radio group-color ${value}`}>
                <input
                  type="radio"
                  name="color"
                  aria-label={COLOR_NAMES[value]}
                  checked={color.value === value}
                  onChange={() => (color.value = value)}
                />
              </label>
            ))}
          </div>
        </div>
      </>
    ),
  });
}

export function showGroupDeletion(group: Group, onDeleted: () => void): void {
  const { id: group_id, name, members: count } = group;
  void showFormDialog({
    title: t('Delete {name}?', { name }),
    text: [
      count > 0 &&
        t('{count, plural, one {# member is} other {# members are}} no longer in it.', { count }),
      t('You can bring it back for {days} days.', { days: LIMITS.deletedGroupDays }),
    ]
      .filter(Boolean)
      .join(' '),
    submitLabel: t('Delete'),
    isDangerous: true,
    onSubmit: async () => {
      await owner.groups.deleteGroup({ group_id });
      showMessage(t('Deleted {name}.', { name }));
      onDeleted();
    },
  });
}
