const MAX_SUGGESTIONS = 3;
const MAX_TYPOS = 2;

const orListFormat = new Intl.ListFormat('en', { type: 'disjunction' });

/** Returns " Did you mean …?" with a leading space, or an empty string. */
export function didYouMean(input: string, names: readonly string[]): string {
  const similar = findSimilarNames(input, names);
  return similar.length === 0 ? '' : ` Did you mean ${orListFormat.format(similar)}?`;
}

function findSimilarNames(input: string, names: readonly string[]): string[] {
  const text = input.trim().toLowerCase();
  const prefix = text.slice(0, Math.max(3, Math.ceil((text.length * 2) / 3)));
  const limit = Math.min(MAX_TYPOS, Math.floor(text.length / 3));
  return names
    .flatMap((name) => {
      const lowerCaseName = name.toLowerCase();
      const hasPrefix = lowerCaseName.startsWith(prefix);
      if (!hasPrefix && Math.abs(lowerCaseName.length - text.length) > limit) return [];
      const distance = editDistance(text, lowerCaseName);
      return hasPrefix || distance <= limit ? [{ name, distance }] : [];
    })
    .toSorted((a, b) => a.distance - b.distance || a.name.length - b.name.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Optimal string alignment distance. */
export function editDistance(a: string, b: string): number {
  let rowBeforeLast: number[] = [];
  let lastRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        lastRow[j]! + 1,
        row[j - 1]! + 1,
        lastRow[j - 1]! + (isSame ? 0 : 1),
        ...(isSwapped ? [rowBeforeLast[j - 2]! + 1] : []),
      );
    }
    [rowBeforeLast, lastRow] = [lastRow, row];
  }
  return lastRow[b.length]!;
}
