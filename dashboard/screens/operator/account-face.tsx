import { parseStoredPicture } from '#contract/shared/pictures.ts';
import { Face } from '#dashboard/components/face.tsx';
import type { Account } from './labels.ts';

export function AccountFace({ account }: { account: Account }) {
  const { avatar_url: url, page_title: title, display_name: name } = account;
  // A picture on another host would tell that host when an operator looks at it.
  const isUploaded = parseStoredPicture(url) !== undefined;
  return <Face url={isUploaded ? url : null} name={(title ?? name) || undefined} />;
}
