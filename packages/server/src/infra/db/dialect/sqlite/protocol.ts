import type { Called } from "../../connection.ts";

export interface WorkerSetup {
  readonly file: string;
  readonly role: "writer" | "reader";
  readonly busyTimeoutMs: number;
  /** False only in tests: does not wait for the disk. */
  readonly durable: boolean;
}

export type WorkerRequest =
  | { readonly id: number; readonly connection: number; readonly op: "open" | "close" }
  | {
      readonly id: number;
      readonly connection: number;
      readonly op: "run";
      /** Begins a transaction before this statement. */
      readonly begin: boolean;
      readonly sql: string;
      readonly params: readonly (null | number | string | Uint8Array)[];
    }
  | {
      readonly id: number;
      readonly connection: number;
      readonly op: "call";
      readonly begin: boolean;
      readonly procedure: string;
      readonly input: unknown;
    };

export interface WorkerAnswer {
  readonly id: number;
  readonly rows: Record<string, unknown>[];
  readonly affected: number | null;
  readonly insertId: number | null;
  /** Of a procedure. */
  readonly called?: Called;
}

export interface WorkerError {
  readonly code: string;
  readonly message: string;
  /** Name of the violated unique index. */
  readonly constraint: string | null;
}

export type WorkerReply = WorkerAnswer | { readonly id: number; readonly error: WorkerError };
