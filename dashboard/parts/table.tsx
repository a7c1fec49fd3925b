import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  /** Whether its title is only for those who do not see the cells, because they hold buttons. */
  isUntitled?: boolean;
  cell: (row: Row) => ComponentChildren;
  /** Whether it holds numbers, which stand below each other. */
  isNumber?: boolean;
}

/**
 * A table that scrolls to the side where it is wider than its place. Where that is narrow its rows stand
 * below each other, each cell beside its title, unless they are to be compared with each other. Its roles are
 * written out: some browsers forget them where a table is not laid out as one.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isCompared = false,
}: {
  /** Caption for those who do not see what is around the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Whether it keeps its columns wherever it is. */
  isCompared?: boolean;
}) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table role="table" class={isCompared ? 'compared' : 'stacks'}>
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isNumber, isUntitled }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                class={isNumber ? 'number' : undefined}
              >
                {isUntitled ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ title, cell, isNumber, isUntitled }) => (
                <td
                  key={title}
                  role="cell"
                  data-title={isUntitled ? undefined : title}
                  class={isNumber ? 'number' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
