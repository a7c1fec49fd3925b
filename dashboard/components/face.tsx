import { useSignal } from '@preact/signals';
import { parseStoredPicture, picturePath, toHttps } from '#contract/pictures.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';

/** The picture of an account, or the first letter of its name. */
export function Face({ url, name }: { url: string | null | undefined; name: string | undefined }) {
  const brokenUrl = useSignal<string>();
  if (!url || brokenUrl.value === url)
    return (
      <span class="tile round good" aria-hidden="true">
        {name ? [...name][0]!.toUpperCase() : <Icon path={ICON_PATHS.user} />}
      </span>
    );
  const uploaded = parseStoredPicture(url);
  return (
    <img
      class="tile round"
      // The dashboard's host serves uploaded pictures even if the page is hidden.
      src={uploaded ? picturePath(uploaded.id, 96) : toHttps(url)}
      alt=""
      loading="lazy"
      onError={() => (brokenUrl.value = url)}
    />
  );
}
