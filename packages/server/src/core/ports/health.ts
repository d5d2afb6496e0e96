export type PartCondition = "ok" | "degraded" | "down";

export interface PartReport {
  readonly part: string;
  readonly state: PartCondition;
  /** Milliseconds since the state last changed. */
  readonly age: number;
  readonly reason: string | null;
}

/** The state of each part of the program, for `/readyz`, the status page and the doctor. */
export interface Health {
  report(part: string, state: PartCondition, reason: string | null): void;
  parts(): PartReport[];
}
