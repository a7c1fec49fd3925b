import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function PageEditor() {
  return (
    <>
      <PageTitle title="Page" />
      <Empty title="This page is not here yet.">
        <p>
          Your page is changed by API. <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
