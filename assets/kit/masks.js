// The masks of the paper (section 3.2.3) as the views draw them: true = may read, row by row. Pure
// functions.

/** @param {number} rows @param {number} columns @param {(row: number, column: number) => boolean} may
 * @returns {boolean[]} */
export const maskWhere = (rows, columns, may) =>
  Array.from({ length: rows * columns }, (_, i) => may(Math.floor(i / columns), i % columns));

/** The keys after `valid` are padding, which no query may read; a row of padding has this mask too.
 * @param {number} rows @param {number} columns @param {number} valid */
export const paddingMask = (rows, columns, valid) =>
  maskWhere(rows, columns, (_, column) => column < valid);

/** A row reads what is written up to itself. @param {number} n */
export const causalMask = (n) => maskWhere(n, n, (row, column) => column <= row);
