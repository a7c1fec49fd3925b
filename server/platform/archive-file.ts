/** A file of the archive with the data of an account. */
export interface ArchiveFile {
  name: string;
  /** Shown in the manifest. */
  description: string;
  read: () => AsyncIterable<string | Buffer>;
}

export function jsonFile(
  name: string,
  description: string,
  load: () => Promise<unknown>,
): ArchiveFile {
  const read = async function* () {
    yield `${JSON.stringify((await load()) ?? null, null, 2)}\n`;
  };
  return { name, description, read };
}

export function ndjsonFile(
  name: string,
  description: string,
  load: () => AsyncIterable<unknown>,
): ArchiveFile {
  const read = async function* () {
    for await (const row of load()) yield `${JSON.stringify(row)}\n`;
  };
  return { name, description: `${description} One per line.`, read };
}
