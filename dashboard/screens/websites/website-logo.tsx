import { Face } from '#dashboard/components/face.tsx';
import { instancePictureSrc } from '../appearance/logo-field.tsx';
import './websites.css';

/** The logo of a website, or the first letter of its name. */
export function WebsiteLogo({ url, name }: { url: string | null; name: string }) {
  if (url === null) return <Face url={null} name={name} />;
  return <img class="tile website-logo" src={instancePictureSrc(url)} alt="" />;
}
