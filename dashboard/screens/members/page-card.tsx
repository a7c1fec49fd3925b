import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import './member.css';

/** Shows operators a page that one of them hides. */
export function hiddenPageHref(accountId: string): string {
  return dashboardHref(`hidden-page?account_id=${accountId}`);
}

/** The preview card of a visible page, empty until it has loaded. If it fails, an initial and the name. */
export function PageCard({ name, isHidden }: { name: string; isHidden?: boolean }) {
  return (
    <span class="tile page-card">
      <strong class="display-number">{name.charAt(0).toUpperCase()}</strong>
      {name}
      {!isHidden && (
        <img
          src={`${pagesUrl}/@${name}/card.png`}
          loading="lazy"
          alt=""
          onError={(event) => event.currentTarget.remove()}
        />
      )}
    </span>
  );
}
