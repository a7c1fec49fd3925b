import type { ComponentType } from 'preact';
import { Failure, Loading } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { pageOf } from '../pages/pages.ts';
import { addressOf, place } from '../router.ts';

/** The page that is open. */
export function Outlet() {
  const page = pageOf(place.value);
  const code = useLoaded(async () => ({ of: page, Page: await page?.load() }), [page]);
  if (!page) return <Nowhere />;
  if (code.failure)
    return <Failure of={code} sentence="The code of this page could not be loaded." />;
  const Page: ComponentType | undefined = code.value?.of === page ? code.value.Page : undefined;
  return Page ? <Page key={page.place} /> : <Loading />;
}

function Nowhere() {
  return (
    <>
      <PageTitle title="There is no such page" />
      <p>
        <a href={addressOf('')}>Go to the start</a>
      </p>
    </>
  );
}
