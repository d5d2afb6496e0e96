import type { PermissionDefinition } from "./contract/access.ts";
import type { ErrorDefinition } from "./contract/errors.ts";
import type { EventDefinition } from "./contract/event.ts";
import type { JobDefinition, JobPayloadOf, RecurringJob } from "./contract/job.ts";
import type { NotificationDefinition } from "./contract/notification.ts";
import type { KeptForGood, RetentionDefinition } from "./contract/retention.ts";
import type { SearchEntry } from "./contract/search.ts";
import type { InputOf, OperationDefinition, OutputOf } from "./contract/operation.ts";
import type { TopicDefinition } from "./contract/topic.ts";
import type { AccountActor, Actor, Viewer } from "./actor.ts";
import type { Table } from "./db/table.ts";
import type { RetentionHandler, TellRemoved } from "./retention.ts";
import type {
  Broker,
  Clock,
  Database,
  Diagnostics,
  EventMessage,
  EventReaction,
  Health,
  Ids,
  Leases,
  Logs,
  Metrics,
  Outbox,
  Outgoing,
  Pictures,
  Schedule,
  SealedColumn,
  Search,
  Signer,
  StatePublisher,
  Storage,
  TimerHandler,
  Timers,
  Tracing,
  TopicBinding,
  Tx,
  Uploads,
  Vault,
} from "./ports/index.ts";

/** What the start had to say, for the status page. */
export interface StartNotes {
  readonly startedAt: number;
  readonly warnings: readonly string[];
  /** Options that are checked but not acted on in this release. */
  readonly notInEffect: readonly string[];
}

/** Everything that a feature may use of the world outside. `Config` is the validated configuration. */
export interface Ports<Config = unknown> {
  readonly config: Config;
  readonly logs: Logs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly db: Database;
  readonly broker: Broker;
  readonly outbox: Outbox;
  readonly leases: Leases;
  readonly timers: Timers;
  readonly search: Search;
  readonly state: StatePublisher;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: Health;
  readonly vault: Vault;
  readonly signer: Signer;
  readonly outgoing: Outgoing;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly pictures: Pictures;
  readonly schedule: Schedule;
  readonly diagnostics: Diagnostics;
  readonly notes: StartNotes;
}

/** Cookies beside the session's, sealed like it: steps of signing in, and which account this browser signed in to. */
export type ShortCookie = "oauth" | "factor" | "device";

/** What a handler knows about the call. */
export interface CallContext {
  readonly traceId: string;
  /** Of the client, by `http.trustedProxies`. */
  readonly address: string;
  readonly userAgent: string;
  readonly actor: Actor;
  /** The account of the session; throws unless the operation's access is account or more. */
  account(): AccountActor;
  /** The chosen character; throws unless the operation's access is character or permission. */
  viewer(): Viewer;
  readonly cookies: {
    session(): string | null;
    /** Sets the encrypted session cookie, or removes it with null. */
    setSession(value: string | null): void;
    /** The value of another cookie that `set` sealed under this name; null for anything else. */
    get(name: ShortCookie): Promise<string | null>;
    /** Seals a cookie for so many seconds, or removes it with null. */
    set(name: ShortCookie, value: string | null, maxAgeSeconds: number): void;
  };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * The body of an operation with `upload`, to be read once; throws for any other. Ends early with an
   * error when the client goes away. `length` is what the client says, null when it says nothing.
   */
  upload(): { readonly bytes: AsyncIterable<Uint8Array>; readonly length: number | null };
}

export interface Binding<D extends OperationDefinition = OperationDefinition> {
  readonly operation: D;
  readonly handle: (call: CallContext, input: InputOf<D>) => Promise<unknown>;
}

/** Binds an operation to its use case. */
export function bind<D extends OperationDefinition>(
  operation: D,
  handle: (call: CallContext, input: InputOf<D>) => Promise<OutputOf<D>>,
): Binding {
  return { operation, handle };
}

export interface JobHandler<D extends JobDefinition = JobDefinition> {
  readonly job: D;
  /** Milliseconds from one run's begin to the next, where the configuration says it; in place of the job's schedule. */
  readonly everyMs?: number;
  /** `tell` notes in the run's record how many rows of a kind went. */
  run(payload: JobPayloadOf<D>, signal: AbortSignal, tell?: TellRemoved): Promise<void>;
}

/** When a job recurs; null for one that runs only when asked. */
export function recurrenceOf({ job, everyMs }: JobHandler): RecurringJob | null {
  const { id, schedule, jitterMs = 0, missed = "once" } = job;
  if (everyMs !== undefined) return { id, when: { everyMs }, jitterMs, missed };
  return schedule === undefined ? null : { id, when: { cron: schedule }, jitterMs, missed };
}

/** One kind of game data, for the status and the manifest of the Sync API. */
export interface SyncKind {
  readonly kind: string;
  /** How many live rows there are. */
  count(tx: Tx): Promise<number>;
  /** Of the live ids of this kind, at most `limit` above `after`, in rising byte order. */
  liveIds?(tx: Tx, after: string, limit: number): Promise<string[]>;
  /** Deletes softly, in its own units of work; returns how many went. */
  remove?(actor: Actor, ids: readonly string[]): Promise<number>;
}

/** Gives one feature's hits to the global search. Asked only for what the viewer may see. */
export interface SearchProvider {
  readonly kind: string;
  find(viewer: Viewer, query: string, limit: number): Promise<SearchEntry[]>;
}

/**
 * One feature's filter for another feature's list: which objects of `target` match. Keeps the needs
 * graph free of cycles, for example citizens by the plate of a vehicle they own.
 */
export interface ListFilter {
  readonly target: string;
  readonly name: string;
  /** At most `limit` ids; throws `AppError` when the viewer may not use this filter. */
  ids(tx: Tx, viewer: Viewer, value: string, limit: number): Promise<number[]>;
}

/**
 * One finding of `rollcall doctor` and the status page. Its words stand in the feature's text under
 * `findings.<name>` as `text` and `remedy`, with the params as places.
 */
export interface Finding {
  /** `<feature>.<name>`. */
  readonly id: string;
  readonly state: "ok" | "warning" | "problem";
  readonly params: Readonly<Record<string, string | number>>;
}

/** Looks at one thing; an error it throws becomes a problem that names the check. */
export interface Check {
  readonly id: string;
  run(): Promise<readonly Finding[]>;
}

/** Told of every event in every process, at most once, for caches; never for work that must happen. */
export interface EventListener {
  readonly event: EventDefinition;
  heard(message: EventMessage): void;
}

/** What all features declared together; complete once every feature was created. */
export interface Registry {
  readonly permissions: () => readonly PermissionDefinition[];
  readonly operations: () => readonly OperationDefinition[];
  readonly recurring: () => readonly RecurringJob[];
  readonly retention: () => readonly RetentionHandler[];
  readonly notifications: () => readonly NotificationDefinition[];
  /** Whatever an entry of the audit trail may say was done: ids of operations and jobs, and what features declare beside them. */
  readonly actions: () => ReadonlySet<string>;
  readonly sealed: () => readonly SealedColumn[];
  readonly checks: () => readonly Check[];
  readonly syncKinds: () => readonly SyncKind[];
  readonly searchProviders: () => readonly SearchProvider[];
  readonly listFilters: (target: string) => readonly ListFilter[];
}

/** Names another feature's in-process interface without importing its code. */
export interface ApiToken<T> {
  readonly feature: string;
  readonly "~api"?: T;
}

export function apiToken<T>(feature: string): ApiToken<T> {
  return { feature };
}

export interface FeatureContract {
  readonly operations?: readonly OperationDefinition[];
  readonly events?: readonly EventDefinition[];
  readonly jobs?: readonly JobDefinition[];
  readonly retention?: readonly RetentionDefinition[];
  readonly keptForGood?: readonly KeptForGood[];
  readonly topics?: readonly TopicDefinition[];
  readonly errors?: Readonly<Record<string, ErrorDefinition>>;
  readonly permissions?: readonly PermissionDefinition[];
  readonly notifications?: readonly NotificationDefinition[];
  /**
   * `<feature>.<verb>`: what the feature's entries in the audit trail say was done, beside its
   * operations and jobs. Each has words in the feature's text under `actions.<verb>`.
   */
  readonly actions?: readonly string[];
}

export interface FeatureParts {
  /** The in-process interface, given to features that `needs` this one. */
  readonly api?: unknown;
  readonly routes?: readonly Binding[];
  readonly jobs?: readonly JobHandler[];
  /** What is kept for a time and then goes by itself. */
  readonly retention?: readonly RetentionHandler[];
  readonly events?: readonly EventReaction[];
  readonly timers?: readonly TimerHandler[];
  readonly topics?: readonly TopicBinding[];
  readonly sync?: readonly SyncKind[];
  readonly search?: readonly SearchProvider[];
  readonly filters?: readonly ListFilter[];
  readonly listeners?: readonly EventListener[];
  /** Columns whose texts `rollcall secret rotate` encrypts anew. */
  readonly sealed?: readonly SealedColumn[];
  /** What the doctor asks of this feature. */
  readonly checks?: readonly Check[];
  /** In a database that was just restored from a backup: ends what must not live a second time. */
  restored?(tx: Tx): Promise<void>;
  /** Runs after start, before traffic; for caches and seeds of the feature's own tables. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface FeatureContext<Config = unknown> extends Ports<Config> {
  /** The api of a feature that the manifest `needs`; throws at start for any other. */
  use<T>(token: ApiToken<T>): T;
  readonly registry: Registry;
}

export interface Feature<Config = unknown> {
  readonly name: string;
  readonly needs: readonly string[];
  readonly contract: FeatureContract;
  readonly tables: readonly Table[];
  create(context: FeatureContext<Config>): FeatureParts;
}

/** What entries of the audit trail may say was done, by what these features declare. */
export function actionsOf(contracts: readonly FeatureContract[]): ReadonlySet<string> {
  return new Set(
    contracts.flatMap(({ operations = [], jobs = [], retention = [], actions = [] }) => [
      ...[...operations, ...jobs, ...retention].map(({ id }) => id),
      ...actions,
    ]),
  );
}

export function defineFeature<Config>(feature: Feature<Config>): Feature<Config> {
  return feature;
}
