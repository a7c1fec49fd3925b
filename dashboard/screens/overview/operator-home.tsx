import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';

const loadFirstDay = async () => (await import('../operator.ts')).FirstDay;

export function OperatorHome() {
  const screen = useAsync(loadFirstDay);
  return <AsyncContent state={screen}>{(FirstDay) => <FirstDay />}</AsyncContent>;
}
