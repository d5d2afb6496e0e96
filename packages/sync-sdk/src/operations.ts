import { type BatchMethods, operations, type SyncStatusOutput } from "./generated/types.ts";

type Operations = typeof operations;

/** Operations that carry a batch of items or ids. */
export type BatchOperation = {
  [O in keyof Operations]: Operations[O] extends { readonly entity: string } ? O : never;
}[keyof Operations];

interface Identity {
  /** What the ids name; sending and deleting a user share one. */
  readonly entity: string;
  /** The field of an item that holds its id; null when the item is the id. */
  readonly field: string | null;
  /** The method of the client. */
  readonly call: keyof BatchMethods<unknown>;
}

export const identities = Object.fromEntries(
  Object.entries(operations).filter(([, operation]) => "entity" in operation),
) as unknown as Readonly<Record<BatchOperation, Identity>>;

type SendBatch<Result> = (operation: BatchOperation, items: readonly unknown[]) => Promise<Result>;

/** A method for each operation that carries a batch. */
export function batchMethods<Result>(send: SendBatch<Result>): BatchMethods<Result> {
  const methods = Object.entries(identities).map(([operation, { call }]) => [
    call,
    async (items: readonly unknown[]) => await send(operation as BatchOperation, items),
  ]);
  return Object.fromEntries(methods) as BatchMethods<Result>;
}

/** The id of an item; null when it has none, which the server will reject. */
export function idOf(operation: BatchOperation, item: unknown): string | null {
  const { field } = identities[operation];
  const id: unknown =
    field === null ? item : typeof item === "object" && item !== null ? (item as Record<string, unknown>)[field] : null;
  return typeof id === "string" ? id : null;
}

/** The contract limits the bodies of deletions to a smaller size; this keeps them below it whatever the script of the ids. */
const deletionBytes = 60_000;

export interface ChunkLimits {
  readonly items: number;
  readonly bytes: number;
}

type Limits = SyncStatusOutput["limits"];

/** What a server publishes; one of an earlier release names no limits by what a call carries. */
export type PublishedLimits = Omit<Limits, "items"> & Partial<Pick<Limits, "items">>;

/** Most items of a call that carries this kind; undefined when the server does not say it, as an older one does not. */
export function mostItems(published: PublishedLimits["items"] | undefined, kind: string): number | undefined {
  return published?.find((one) => one.kind === kind)?.items;
}

/** What one call of this operation may carry, by the limits that the server publishes. */
export function chunkLimits(
  operation: BatchOperation,
  published: Pick<PublishedLimits, "batchItems" | "bodyBytes" | "items"> | null,
): ChunkLimits {
  const bytes = published?.bodyBytes ?? 4_194_304;
  const named = mostItems(published?.items, identities[operation].entity) ?? published?.batchItems;
  return {
    items: Math.max(1, named ?? operations[operation].maxItems),
    bytes: identities[operation].field === null ? Math.min(bytes, deletionBytes) : bytes,
  };
}
