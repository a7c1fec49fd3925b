import { signal } from '@preact/signals';
import { GROUP_COLORS, type GroupColor } from '#contract/shared/group-colors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { isOn } from '#dashboard/facts.ts';
import { ssoProvider } from '#dashboard/session.ts';
import { formatList, t } from '#dashboard/translate.ts';
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
  const signOn = signal(group?.sign_on ?? '');
  const isInDirectory = signal(group?.in_directory ?? false);
  const color = signal<GroupColor>((group?.color as GroupColor | undefined) ?? 'blue');
  void showFormDialog({
    title: group?.name ?? t('New group'),
    fields: ['name', 'sign_on'],
    submitLabel: group ? t('Save') : t('Create group'),
    onSubmit: async () => {
      const fields = {
        name: name.value.trim(),
        color: color.value,
        sign_on: signOn.value.trim() || null,
        in_directory: isInDirectory.value,
      };
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
        {(ssoProvider !== undefined || group?.sign_on) && (
          <BoundField
            signal={signOn}
            name="sign_on"
            label={t('Group at {provider}', { provider: ssoProvider ?? t('Single sign-on') })}
            maxLength={LIMITS.signOnGroup}
            autocomplete="off"
            hint={t('Who is in it there joins here at the next sign-on. Optional.')}
          />
        )}
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
        <Switch
          label={t('Show in the list of members')}
          checked={isInDirectory.value}
          onChange={(isShown) => (isInDirectory.value = isShown)}
        />
      </>
    ),
  });
}

/** Says before what hangs on the group. */
export async function showGroupDeletion(group: Group, onDeleted: () => void): Promise<void> {
  const { id: group_id, name, members: count } = group;
  const uses = await withErrorMessage(listUses(group_id));
  if (!uses) return;
  void showFormDialog({
    title: t('Delete {name}?', { name }),
    text: [
      count > 0 &&
        t('{count, plural, one {# member is} other {# members are}} no longer in it.', { count }),
      uses.addresses.length > 0 &&
        t('They no longer read {addresses}.', { addresses: formatList(uses.addresses) }),
      uses.websites.length > 0 &&
        t('{websites} no longer know it.', { websites: formatList(uses.websites) }),
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

async function listUses(groupId: string): Promise<{ addresses: string[]; websites: string[] }> {
  const [{ addresses }, { clients }] = await Promise.all([
    isOn('addresses') ? owner.addresses.listAddresses() : { addresses: [] },
    isOn('oauth') ? owner.clients.listClients() : { clients: [] },
  ]);
  return {
    addresses: addresses.filter((one) => one.group_id === groupId).map(({ email }) => email),
    websites: clients
      .filter((one) => [...one.allowed_groups, ...one.shared_groups].includes(groupId))
      .map(({ name }) => name),
  };
}
