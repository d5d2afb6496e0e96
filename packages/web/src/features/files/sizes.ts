const megabyte = 1024 * 1024;

/** One decimal at most. */
export const megabytes = (bytes: number) => Math.round((bytes / megabyte) * 10) / 10;

/** Bytes in a readable unit, formatted for the language. */
export function sizeOf(bytes: number, language: string): string {
  const [value, unit] =
    bytes < 1024
      ? [bytes, "byte"]
      : bytes < megabyte
        ? [bytes / 1024, "kilobyte"]
        : bytes < 1024 * megabyte
          ? [bytes / megabyte, "megabyte"]
          : [bytes / 1024 / megabyte, "gigabyte"];
  const unitDisplay = unit === "byte" ? "long" : "short";
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(value);
}
