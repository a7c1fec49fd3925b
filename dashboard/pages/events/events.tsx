import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Events() {
  return (
    <>
      <PageTitle title="Events" />
      <Empty title="This page is not here yet.">
        <p>
          Events are read by who runs this server: npx nameplate events list.{' '}
          <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
