import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Security() {
  return (
    <>
      <PageTitle title="Security" />
      <Empty title="This page is not here yet.">
        <p>
          Accounts are looked after by who runs this server: npx nameplate accounts.{' '}
          <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
