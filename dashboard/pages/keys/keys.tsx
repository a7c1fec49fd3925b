import { Empty } from '../../parts/states.tsx';
import { PageTitle } from '../../parts/page-title.tsx';

export function Keys() {
  return (
    <>
      <PageTitle title="Keys" />
      <Empty title="This page is not here yet.">
        <p>
          Keys are made by who runs this server: npx nameplate keys create.{' '}
          <a href="/docs/">The API reference</a> tells how.
        </p>
      </Empty>
    </>
  );
}
