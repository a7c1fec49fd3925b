import { expect, it, vi } from 'vitest';
import { LIMITS } from '#contract/shared/limits.ts';
import { type PictureItem, UploadQueue } from '#dashboard/screens/page/upload-queue.ts';

/** A queue for a list with these pictures. `errors` are those of the next attempts, by file name. */
function createQueue(urls: string[], errors: Record<string, string[]> = {}) {
  let items: PictureItem[] = urls.map((url) => ({ url }));
  const sent: string[] = [];
  const messages: string[] = [];
  const queue = new UploadQueue({
    items: () => items,
    insert: (url, index) => (items = items.toSpliced(index, 0, { url })),
    send: async ({ name }) => {
      sent.push(name);
      const error = errors[name]?.shift();
      if (error) throw new Error(error);
      return Promise.resolve(name);
    },
    explain: (error) => {
      const problem = (error as Error).message;
      return { problem, isFinal: problem !== 'offline' };
    },
    showError: (text) => void messages.push(text),
    explainFailure: (text) => void messages.push(text),
    track: (uploads) => uploads,
  });
  const add = (...names: string[]) => queue.add(names.map((name) => new File([], name)));
  const settle = () =>
    vi.waitFor(() => {
      const states = queue.uploads.value.map(({ state }) => state);
      expect(states).not.toContain('uploading');
      if (!queue.interruption.value) expect(states).not.toContain('waiting');
    });
  const failed = () =>
    queue.uploads.value.flatMap(({ file, problem }) => (problem ? [[file.name, problem]] : []));
  return { queue, add, settle, sent, messages, failed, list: () => items.map(({ url }) => url) };
}

it('pictures are in the order of their files, also after an interruption', async () => {
  const { queue, add, settle, sent, failed, messages, list } = createQueue(['0'], {
    1: ['broken'],
    3: ['offline'],
  });
  add('1', '2', '3', '4');
  await settle();
  expect([sent, list(), queue.interruption.value]).toEqual([
    ['1', '2', '3'],
    ['0', '2'],
    'offline',
  ]);
  // The broken file takes no room.
  expect(queue.room).toBe(LIMITS.blockItems - 4);
  queue.resume();
  await settle();
  expect([list(), failed()]).toEqual([['0', '2', '3', '4'], [['1', 'broken']]]);
  expect([queue.interruption.value, messages]).toEqual([undefined, ['1: broken']]);
  // Others take the place of the broken one.
  queue.add(
    ['5', '6'].map((name) => new File([], name)),
    queue.uploads.value[0]!.file,
  );
  await settle();
  expect([list(), failed()]).toEqual([['0', '5', '6', '2', '3', '4'], []]);
});

it('a picture is not added twice', async () => {
  const { queue, add, settle, failed, list, messages } = createQueue(['b']);
  add('a', 'b');
  await settle();
  queue.addAddress('b');
  expect(messages.at(-1)).toBe('This picture is already in the gallery.');
  expect([list(), failed()]).toEqual([
    ['b', 'a'],
    [['b', 'This picture is already in the gallery.']],
  ]);
});

it('files beyond the limit are not sent', async () => {
  const { add, settle, sent, messages } = createQueue(
    Array.from({ length: LIMITS.blockItems - 1 }, String),
  );
  add('a', 'b');
  await settle();
  expect([sent, messages]).toEqual([['a'], ['1 picture was left out: a gallery has at most 50.']]);
});
