/** Names what a finding says, so that it can be said in other languages. */
export interface Said {
  /** `findings.<code>` in the texts of `system`; null where a check of the doctor reports the same. */
  readonly code: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The problem of a value and the remedy; both are one-line phrases for the operator. */
export interface Complaint {
  readonly what: string;
  readonly instead: string;
  readonly said?: Said;
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

export function refuse(what: string, instead: string, said?: Said): Complaint {
  return { what, instead, ...(said && { said }) };
}

export function isAccepted<T>(parsed: Parsed<T>): parsed is Accepted<T> {
  return "value" in parsed;
}
