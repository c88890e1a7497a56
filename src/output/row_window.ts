/** Keeps the first and the last rows of a result of unknown length. */
export class RowWindow<Row> {
  readonly #headRows: number;
  readonly #tailRows: number;
  readonly #head: Row[] = [];
  #tail: Row[] = [];
  #count = 0;

  /** `maxRows` > 0: a result of at most so many rows is kept whole. */
  constructor(maxRows: number) {
    this.#headRows = Math.ceil(maxRows / 2);
    this.#tailRows = maxRows - this.#headRows;
  }

  /** Rows seen, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Takes the next `rows` rows and builds only those that may be shown. */
  *take(rows: number, build: (row: number) => Row): Iterable<void> {
    const headEnd = Math.min(rows, this.#headRows - this.#head.length);
    for (let row = 0; row < headEnd; row++) {
      this.#head.push(build(row));
      yield;
    }
    for (let row = Math.max(headEnd, rows - this.#tailRows); row < rows; row++) {
      this.#tail.push(build(row));
      if (this.#tail.length >= 2 * this.#tailRows) this.#tail = this.#tail.slice(-this.#tailRows);
      yield;
    }
    this.#count += rows;
  }

  /** The rows to show; `elided` says that some are missing between the two. */
  result(): { head: readonly Row[]; tail: readonly Row[]; elided: boolean } {
    const tail = this.#tailRows === 0 ? [] : this.#tail.slice(-this.#tailRows);
    return { head: this.#head, tail, elided: this.#count > this.#head.length + tail.length };
  }
}
