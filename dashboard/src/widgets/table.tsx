/** Rows and columns; on a narrow screen each row is a block with its columns' names. */
import './table.css'
import { type ComponentChildren, Fragment, type JSX } from 'preact'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ComponentChildren
  /** Right-aligned, in figures of one width. */
  number?: boolean
  /** The cell that names the row: the first column, unless another says so. */
  header?: boolean
}

interface TableProps<Row> {
  /** For screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  toneOf?: (row: Row) => 'bad' | 'warn' | 'quiet' | undefined
  /** Stands below the row, across all columns; false for nothing. */
  more?: (row: Row) => JSX.Element | false
  /** The text in place of the table when there are no rows. */
  empty: string
}

export function Table<Row>({ caption, columns, rows, keyOf, toneOf, more, empty }: TableProps<Row>): JSX.Element {
  if (rows.length === 0) return <p class="table-empty quiet">{empty}</p>
  const header = Math.max(
    0,
    columns.findIndex((column) => column.header),
  )
  return (
    // Tables from elsewhere may have an explicit role for the phone's layout, which takes the implied ones away.
    // biome-ignore-start lint/a11y/noRedundantRoles: `display: block` takes a table's roles away in some browsers
    <table class="table" role="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, number }) => (
            <th key={name} scope="col" role="columnheader" class={number ? 'table-number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => {
          const below = more?.(row)
          return (
            <Fragment key={keyOf(row)}>
              <tr role="row" data-tone={toneOf?.(row)}>
                {columns.map(({ name, cell, number }, i) => {
                  const shared = { 'data-column': name, ...(number && { class: 'table-number' }) }
                  return i === header ? (
                    <th key={name} scope="row" role="rowheader" {...shared}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={name} role="cell" {...shared}>
                      {cell(row)}
                    </td>
                  )
                })}
              </tr>
              {below && (
                <tr role="row" class="table-more" data-tone={toneOf?.(row)}>
                  <td role="cell" colSpan={columns.length}>
                    {below}
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  )
}
