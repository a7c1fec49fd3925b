import { useSignal } from '@preact/signals';
import { pictureSource } from '#contract/shared/pictures.ts';
import { firstCharacter } from '#contract/shared/user-text.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';

/** The picture of an account, or the first letter of its name. */
export function Face({ url, name }: { url: string | null | undefined; name: string | undefined }) {
  const brokenUrl = useSignal<string>();
  if (!url || brokenUrl.value === url)
    return (
      <span class="tile round tinted" aria-hidden="true">
        {name ? firstCharacter(name).toUpperCase() : <Icon path={ICON_PATHS.user} />}
      </span>
    );
  return (
    <img
      class="tile round"
      src={pictureSource(url, 96)}
      alt=""
      loading="lazy"
      onError={() => (brokenUrl.value = url)}
    />
  );
}
