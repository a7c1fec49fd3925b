import type { ComponentChildren } from 'preact';
import { t } from '../translate.ts';
import './table.css';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  /** For style rules about the column. */
  cellClass?: string;
}

const classOf = ({ isNumber, cellClass }: Column<never>) =>
  [isNumber && 'number', cellClass].filter(Boolean).join(' ') || undefined;

/**
 * A table that scrolls sideways if it is too wide. In a narrow container, each row becomes a list
 * of titles and values, unless `hasFixedColumns` is set. The ARIA roles are explicit, because some
 * browsers drop the implicit ones if CSS changes the display type.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  actions,
  hasFixedColumns = false,
}: {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The last column, whose title only screen readers have. */
  actions?: (row: Row) => ComponentChildren;
  /** Whether to keep the columns in a narrow container, so that rows can be compared. */
  hasFixedColumns?: boolean;
}) {
  const actionColumn = actions && {
    title: t('Actions'),
    cell: actions,
    cellClass: 'table-actions',
  };
  const allColumns: readonly Column<Row>[] = actionColumn ? [...columns, actionColumn] : columns;
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table role="table" class={hasFixedColumns ? 'fixed-table' : 'stacked-table'}>
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {allColumns.map((column, index) => (
              <th key={index} role="columnheader" scope="col" class={classOf(column)}>
                {column === actionColumn ? (
                  <span class="visually-hidden">{column.title}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {allColumns.map((column, index) => (
                <td
                  key={index}
                  role="cell"
                  data-title={column === actionColumn ? undefined : column.title}
                  class={classOf(column)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
