import { parseStoredPicture } from '#contract/shared/pictures.ts';
import { Face } from '#dashboard/components/face.tsx';
import type { Member } from './labels.ts';

export function MemberFace({ member }: { member: Member }) {
  const { avatar_url: url, page_title: title, display_name: name } = member;
  // A picture on another host would tell that host when an operator looks at it.
  const isUploaded = parseStoredPicture(url) !== undefined;
  return <Face url={isUploaded ? url : null} name={(title ?? name) || undefined} />;
}
