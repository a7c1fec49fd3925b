import { useLayoutEffect, useRef } from 'preact/hooks';
import { Field } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { displayName } from '#dashboard/display-name.ts';
import { t } from '#dashboard/translate.ts';
import { PROFILE_ID, selectedId } from './block-actions.ts';
import { focusForm } from './block-row.tsx';
import { draft } from './current-draft.ts';
import { PictureField } from './picture-field.tsx';
import { pictureSrc } from './picture-file.ts';
import { SettingInputs } from './settings.tsx';
import { PROFILE_FIELDS } from './site-fields.ts';
import type { Site } from './site.ts';
import { pictureError } from './validation.ts';
import { withScheme } from './web-address.ts';

export function ProfileRow({ site }: { site: Site }) {
  const row = useRef<HTMLDivElement>(null);
  const isOpen = selectedId.value === PROFILE_ID;
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // Do not take the focus if the form is already open on mount.
    if (isOpen && !wasOpen.current) focusForm(row.current!);
    wasOpen.current = isOpen;
  }, [isOpen]);
  const picture = site.avatar_url && !pictureError(site) ? pictureSrc(site.avatar_url) : undefined;
  return (
    <div ref={row} class={isOpen ? 'block block-open' : 'block'}>
      <div class="block-head">
        <button
          type="button"
          class="block-name"
          aria-expanded={isOpen}
          onClick={() => (selectedId.value = isOpen ? '' : PROFILE_ID)}
        >
          {picture ? (
            <img class="tile" src={picture} alt="" referrerpolicy="no-referrer" />
          ) : (
            <span class="tile">
              <Icon path={ICON_PATHS.user} />
            </span>
          )}
          <span class="block-words">
            <span class="block-line">
              <span class="strong clamped">
                {site.display_name || displayName.value || t('Profile')}
              </span>
            </span>
            <small class="ellipsis">{t('Profile: name, picture, bio, location')}</small>
          </span>
          <Icon path={isOpen ? 'm4 10 4-4 4 4' : ICON_PATHS.chevronDown} />
        </button>
      </div>
      {isOpen && (
        <div class="block-body">
          <ProfileFields site={site} />
        </div>
      )}
    </div>
  );
}

function ProfileFields({ site }: { site: Site }) {
  const set = (name: (typeof PROFILE_FIELDS)[number]['name'], text: string) =>
    draft.change(name, { [name]: text === '' ? null : text });
  const title = titleFromName(displayName.value ?? '');
  return (
    <div class="fields">
      {PROFILE_FIELDS.map(({ name, label, maxLength, hint }) => {
        const value = site[name] ?? '';
        const commonProps = { name, label, maxLength, hint, dir: 'auto', value } as const;
        return name === 'avatar_url' ? (
          <PictureField
            key={name}
            name={name}
            label={label}
            isSquare
            value={value}
            error={pictureError({ avatar_url: withScheme(value) })}
            onValue={(address) => set(name, address)}
          />
        ) : (
          <div key={name}>
            <Field
              {...commonProps}
              onValue={(text) => set(name, text)}
              {...(name === 'bio' && { rows: 3 })}
            />
            {name === 'display_name' && value === '' && title && (
              <button type="button" class="chip" onClick={() => set(name, title)}>
                {title}
              </button>
            )}
          </div>
        );
      })}
      <SettingInputs site={site} names={['pronouns']} />
    </div>
  );
}

/** `Kim Larsson` for `kim-larsson`. */
function titleFromName(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
