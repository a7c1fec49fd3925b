import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes, or wait for what comes late. */
const WAITING = /\/test\/(?:process|faults|forwarding|admin)\//;

/** The order of the files: those that wait evenly among those that compute, which have what they leave. */
export class EvenlyWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array
    const sorted = await super.sort(files);
    const kinds = Object.groupBy(sorted, ({ moduleId }) => String(WAITING.test(moduleId)));
    return Object.values(kinds)
      .flatMap((kind = []) => kind.map((file, at) => ({ file, place: (at + 0.5) / kind.length })))
      .toSorted((one, other) => one.place - other.place)
      .map(({ file }) => file);
  }
}
