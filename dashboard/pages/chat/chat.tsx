import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Chat() {
  return (
    <>
      <PageTitle title="Chat webhook" />
      <Empty title="This page is not here yet.">
        <p>
          Messages are sent and edited by API. <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
