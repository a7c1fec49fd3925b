import { signal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { t } from '#dashboard/translate.ts';

const ALREADY_THERE = t('This picture is already in the gallery.');

export interface PictureItem {
  url?: string;
  alt?: string;
  caption?: string;
}

/** The list that a queue uploads to. Its items may change during an upload. */
export interface UploadTarget {
  items: () => readonly PictureItem[];
  insert: (url: string, index: number) => void;
  /** Uploads a file and resolves to its address. */
  send: (file: File) => Promise<string>;
  /** `isFinal`: this file can never be uploaded. Otherwise, the next one would fail, too. */
  explain: (error: unknown) => { problem: string; isFinal: boolean };
  showError: (text: string) => void;
  /** The row of the file shows the problem, too. */
  explainFailure: (text: string) => void;
  /** Makes every save wait. */
  track: (uploads: Promise<void>) => Promise<void>;
}

export interface PictureUpload {
  file: File;
  state: 'waiting' | 'uploading' | 'failed' | 'done';
  /** Why it failed. */
  problem?: string;
  /** Once it is done. */
  url?: string;
}

/**
 * Uploads files one after another, because phones have little memory. Inserts each picture in the
 * order in which the files were chosen, even if an earlier one succeeds later.
 */
export class UploadQueue {
  readonly #target: UploadTarget;
  #isRunning = false;
  readonly uploads = signal<readonly PictureUpload[]>([]);
  /** Why the waiting files are not uploaded now. */
  readonly interruption = signal<string | undefined>(undefined);

  constructor(target: UploadTarget) {
    this.#target = target;
  }

  get room(): number {
    return LIMITS.blockItems - this.#target.items().length - this.#unfinished().length;
  }

  /** The new files take the place of `failed`. */
  add(chosen: readonly File[], failed?: File): void {
    const files = chosen.slice(0, Math.max(0, this.room));
    const count = chosen.length - files.length;
    if (count > 0)
      this.#target.showError(
        t(
          '{count, plural, one {# picture was} other {# pictures were}} left out: a gallery has at most {limit}.',
          { count, limit: LIMITS.blockItems },
        ),
      );
    if (files.length === 0) return;
    // Only the order of unfinished uploads needs the finished ones.
    const earlier = this.uploads
      .peek()
      .filter(({ state }) => failed || state !== 'done' || this.#unfinished().length > 0);
    const place = earlier.findIndex(({ file }) => file === failed);
    const added = files.map((file) => ({ file, state: 'waiting' as const }));
    this.uploads.value = place < 0 ? [...earlier, ...added] : earlier.toSpliced(place, 1, ...added);
    this.resume();
  }

  addAddress(url: string): void {
    const items = this.#target.items();
    if (items.some((item) => item.url === url)) this.#target.showError(ALREADY_THERE);
    else this.#target.insert(url, items.length);
  }

  dismiss(file: File): void {
    this.uploads.value = this.uploads.peek().filter((upload) => upload.file !== file);
  }

  #unfinished(): PictureUpload[] {
    return this.uploads.value.filter(({ state }) => state === 'waiting' || state === 'uploading');
  }

  /** Uploads the waiting files. Also resumes after an interruption. */
  resume(): void {
    if (this.#isRunning || this.#unfinished().length === 0) return;
    this.interruption.value = undefined;
    this.#isRunning = true;
    // A save that waits for the uploads reports the error. The list shows it, too.
    const uploads = this.#sendAll().finally(() => (this.#isRunning = false));
    this.#target.track(uploads).catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    const nextFile = () => this.uploads.peek().find(({ state }) => state === 'waiting')?.file;
    let failure: unknown;
    for (let file = nextFile(); file; file = nextFile()) {
      this.#change({ file, state: 'uploading' });
      try {
        this.#insert(file, await this.#target.send(file));
      } catch (error) {
        failure = error;
        const { problem, isFinal } = this.#target.explain(error);
        this.#change(isFinal ? { file, state: 'failed', problem } : { file, state: 'waiting' });
        if (isFinal) continue;
        this.interruption.value = problem;
        break;
      }
    }
    if (failure) throw failure;
  }

  #insert(file: File, url: string): void {
    const items = this.#target.items();
    const indexOf = (address?: string) =>
      address ? items.findIndex((item) => item.url === address) : -1;
    if (indexOf(url) >= 0) {
      this.#change({ file, state: 'failed', problem: ALREADY_THERE });
      return;
    }
    const uploads = this.uploads.peek();
    const position = uploads.findIndex((upload) => upload.file === file);
    const indexes = uploads.map((upload) => indexOf(upload.url));
    const previous = indexes.slice(0, position).findLast((index) => index >= 0);
    const next = indexes.slice(position).find((index) => index >= 0);
    this.#target.insert(url, previous === undefined ? (next ?? items.length) : previous + 1);
    this.#change({ file, state: 'done', url });
  }

  #change(changed: PictureUpload): void {
    const { problem, file } = changed;
    if (problem) this.#target.explainFailure(`${file.name}: ${problem}`);
    this.uploads.value = this.uploads
      .peek()
      .map((upload) => (upload.file === changed.file ? changed : upload));
  }
}
