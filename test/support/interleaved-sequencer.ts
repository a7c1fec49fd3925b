import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that mostly wait for processes or timers. */
const WAITING_FILES = /\/test\/(?:process|faults|forwarding|cli)\//;

/** Alternates between waiting and CPU-bound test files, so that all cores stay busy. */
export class InterleavedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- `super.sort` is not Array#sort
    const sorted = await super.sort(files);
    const groups = Object.groupBy(sorted, ({ moduleId }) => String(WAITING_FILES.test(moduleId)));
    return Object.values(groups)
      .flatMap((group = []) =>
        group.map((file, index) => ({ file, position: (index + 0.5) / group.length })),
      )
      .toSorted((a, b) => a.position - b.position)
      .map(({ file }) => file);
  }
}
