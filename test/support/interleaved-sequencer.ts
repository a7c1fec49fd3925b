import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow tests that mostly wait for processes or timers. */
const WAITING_TEST = /\/test\/(?:process|faults|forwarding|cli)\//;

/** Interleaves test files that mostly wait with CPU-bound files, so that all cores stay busy. */
export class InterleavedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array
    const sorted = await super.sort(files);
    const kinds = Object.groupBy(sorted, ({ moduleId }) => String(WAITING_TEST.test(moduleId)));
    return Object.values(kinds)
      .flatMap((kind = []) =>
        kind.map((file, index) => ({ file, position: (index + 0.5) / kind.length })),
      )
      .toSorted((a, b) => a.position - b.position)
      .map(({ file }) => file);
  }
}
