/** What is wrong with a value and what to write instead; both one-line phrases for the operator. */
export interface Complaint {
  readonly what: string;
  readonly instead: string;
}

export interface Accepted<T> {
  readonly value: T;
  /** Things that work but that the operator should know. */
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
