import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Mail() {
  return (
    <>
      <PageTitle title="Mail" />
      <Empty title="This page is not here yet.">
        <p>
          Forwarding is turned on and off by API. <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
