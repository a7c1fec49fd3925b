import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure, Loading } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { pageOf } from '../pages/pages.ts';
import { addressOf, place } from '../router.ts';

/** For so long a page waits for all that it shows. */
const WHOLE_WITHIN_MS = 1_000;

/** The page that is open. */
export function Outlet() {
  const page = pageOf(place.value);
  const code = useLoaded(async () => ({ of: page, Page: await page?.load() }), [page]);
  useEffect(() => (page ? comeAsAWhole() : undefined), [page]);
  if (!page) return <Nowhere />;
  if (code.failure)
    return <Failure of={code} sentence="The code of this page could not be loaded." />;
  const Page: ComponentType | undefined = code.value?.of === page ? code.value.Page : undefined;
  return Page ? <Page key={page.place} /> : <Loading />;
}

/** Shows what is in a page at once when it is there, instead of one part after the other, each moving the next. */
function comeAsAWhole(): () => void {
  const main = document.getElementById('main')!;
  const arrive = () => {
    observer.disconnect();
    clearTimeout(timer);
    main.classList.remove('arriving');
  };
  const observer = new MutationObserver(() => {
    if (!main.querySelector('.loading')) arrive();
  });
  const timer = setTimeout(arrive, WHOLE_WITHIN_MS);
  main.classList.add('arriving');
  observer.observe(main, { childList: true, subtree: true });
  return arrive;
}

function Nowhere() {
  return (
    <>
      <PageTitle title="There is no such page" />
      <p>
        <a href={addressOf('')}>Go to the overview</a>
      </p>
    </>
  );
}
