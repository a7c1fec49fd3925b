import { Face } from '#dashboard/components/face.tsx';
import './websites.css';

/** The logo of a website, or the first letter of its name. The dashboard's host serves it. */
export function WebsiteLogo({ url, name }: { url: string | null; name: string }) {
  if (url === null) return <Face url={null} name={name} />;
  return <img class="tile website-logo" src={new URL(url).pathname} alt="" />;
}
