import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { toDo } from '#dashboard/current-account.ts';
import { NeedsYou } from './needs-you.tsx';

const loadFirstDay = async () => (await import('../operator.ts')).FirstDay;

export function OperatorHome() {
  const screen = useAsync(loadFirstDay);
  // `FirstDay` lists the to-do items of operators.
  const own = toDo.value.filter(({ path }) => path);
  return (
    <AsyncContent state={screen}>
      {(FirstDay) => (
        <FirstDay>
          <NeedsYou findings={own} />
        </FirstDay>
      )}
    </AsyncContent>
  );
}
