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
  /** A call failed because of this part, so its check is repeated at once. */
  doubt(part: string): void;
  /** Returns a function that removes the listener. */
  onDoubt(part: string, listener: () => void): () => void;
}

/** Parts that the process cannot serve without; the others only degrade it. */
export const requiredParts: readonly string[] = ["database", "server"];
