import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Metrics() {
  return (
    <>
      <PageTitle title="Metrics" />
      <Empty title="This page is not here yet.">
        <p>
          Metrics are sent and read by API. <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
