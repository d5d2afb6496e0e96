/** The problem of a value and the remedy; both are one-line phrases for the operator. */
export interface Complaint {
  readonly what: string;
  readonly instead: string;
}

export interface Accepted<T> {
  readonly value: T;
  /** Warnings for the operator about a value that works. */
  readonly warnings: readonly Complaint[];
}

/** The result of a pure parser. */
export type Parsed<T> = Accepted<T> | Complaint;

export function accept<T>(value: T, warnings: readonly Complaint[] = []): Accepted<T> {
  return { value, warnings };
}

export function refuse(what: string, instead: string): Complaint {
  return { what, instead };
}

export function isAccepted<T>(parsed: Parsed<T>): parsed is Accepted<T> {
  return "value" in parsed;
}
