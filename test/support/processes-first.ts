import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes, or wait for what comes late. */
const WAITING = /\/test\/(?:process|faults|forwarding|admin)\//;

/** The order of the files: those that wait first, so that the others have what they leave. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array
    const sorted = await super.sort(files);
    const { true: waiting = [], false: others = [] } = Object.groupBy(sorted, ({ moduleId }) =>
      WAITING.test(moduleId) ? 'true' : 'false',
    );
    return [...waiting, ...others];
  }
}
