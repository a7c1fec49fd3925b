type WithTexts<Row> = {
  [Key in keyof Row]: Row[Key] extends Date | null ? string | Exclude<Row[Key], Date> : Row[Key];
};

/** Replaces the times of a row by ISO 8601. */
export function serializeTimes<Row extends object>(row: Row): WithTexts<Row> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as WithTexts<Row>;
}
