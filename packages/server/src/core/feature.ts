import type { PermissionDefinition } from "./contract/access.ts";
import type { ApprovalDefinition } from "./contract/approval.ts";
import type { ErrorDefinition } from "./contract/errors.ts";
import type { EventDefinition } from "./contract/event.ts";
import type { StateMachine } from "./contract/machine.ts";
import type { GameRequestDefinition } from "./contract/game-request.ts";
import type { ScheduleDefinition, Recurrence } from "./contract/schedule.ts";
import type { NotificationDefinition } from "./contract/notification.ts";
import type { PreferenceDefinition } from "./contract/preference.ts";
import type { KeptForGood, RetentionDefinition } from "./contract/retention.ts";
import type { SearchEntry } from "./contract/search.ts";
import type { SocketDefinition } from "./contract/socket.ts";
import type { LinkDefinition } from "./contract/link.ts";
import type { InputOf, OperationDefinition, OutputOf } from "./contract/operation.ts";
import type { SyncKindDefinition } from "./contract/sync.ts";
import type { WorkerTaskDefinition } from "./contract/task.ts";
import type { TopicDefinition } from "./contract/topic.ts";
import type { AccountActor, Actor, LinkActor, Viewer } from "./actor.ts";
import type { Demo, DemoGrant, DemoRows } from "./demo.ts";
import type { CustomColumn } from "./custom-columns.ts";
import type { OrderedList } from "./db/lists.ts";
import type { StartNotes } from "./start-notes.ts";
import type { Table } from "./db/table.ts";
import type { RetentionHandler } from "./retention.ts";
import type { ScheduleHandler } from "./schedule.ts";
import type {
  ApprovalHandler,
  Approvals,
  Broker,
  Clock,
  Database,
  Diagnostics,
  EventMessage,
  EventReaction,
  ExportKind,
  GameRequestHandler,
  Health,
  Ids,
  LatestValues,
  Leases,
  Logs,
  Metrics,
  NotificationDelivery,
  Outbox,
  Outgoing,
  PasswordHashes,
  Pictures,
  Schedules,
  SealedColumn,
  Search,
  Signer,
  SocketBinding,
  StatePublisher,
  Storage,
  TaskHandler,
  Tasks,
  Tracing,
  TopicBinding,
  Tx,
  Uploads,
  Vault,
} from "./ports/index.ts";

/** The ports that a feature may use. `Config` is the validated configuration. */
export interface Ports<Config = unknown> {
  readonly config: Config;
  readonly logs: Logs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly db: Database;
  readonly broker: Broker;
  readonly outbox: Outbox;
  readonly leases: Leases;
  readonly tasks: Tasks;
  readonly search: Search;
  readonly state: StatePublisher;
  readonly latest: LatestValues;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly health: Health;
  readonly vault: Vault;
  readonly signer: Signer;
  readonly outgoing: Outgoing;
  readonly passwordHashes: PasswordHashes;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly pictures: Pictures;
  readonly schedule: Schedules;
  readonly diagnostics: Diagnostics;
  readonly notes: StartNotes;
}

/** What a handler knows about the call. */
export interface CallContext {
  readonly traceId: string;
  /** The client's address, as resolved with `http.trustedProxies`. */
  readonly address: string;
  readonly userAgent: string;
  readonly actor: Actor;
  /** The account of the session; throws unless the operation's access is account or more. */
  account(): AccountActor;
  /** The chosen character; throws unless the operation's access is character or permission. */
  viewer(): Viewer;
  /** The link of the call; throws unless the operation's access is link. */
  link(): LinkActor;
  readonly cookies: {
    session(): string | null;
    /** Sets the encrypted session cookie; null removes it. */
    setSession(value: string | null): void;
    /** The value of a cookie that `set` encrypted under this name, which its feature chooses; null for anything else. */
    get(name: string): Promise<string | null>;
    /** Sets an encrypted cookie that lives `maxAgeSeconds`; null removes it. */
    set(name: string, value: string | null, maxAgeSeconds: number): void;
  };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * The body of an operation with `upload`, to be read once; throws for any other operation. The stream
   * fails when the client disconnects. `length` is what the client declared, null without a declaration.
   */
  upload(): { readonly bytes: AsyncIterable<Uint8Array>; readonly length: number | null };
  /**
   * Of a call with an idempotency key: stores its answer, as the last statement of the transaction of its effect.
   * Does nothing for other calls.
   */
  keepAnswer(tx: Tx, output: unknown): Promise<void>;
  /** Of such a call whose effect needs several transactions, before the first: cut off, its key is refused from then on. */
  reserveKey(): Promise<void>;
  /** For calls that wait: aborted when the client disconnects before it has the answer, and when the process begins to stop. */
  signal(): AbortSignal;
}

export interface Binding<D extends OperationDefinition = OperationDefinition> {
  readonly operation: D;
  readonly handle: (call: CallContext, input: InputOf<D>) => Promise<unknown>;
}

export { recurrenceOf, type ScheduleHandler } from "./schedule.ts";

/** Binds an operation to its use case. */
export function bind<D extends OperationDefinition>(
  operation: D,
  handle: (call: CallContext, input: InputOf<D>) => Promise<OutputOf<D>>,
): Binding {
  return { operation, handle };
}

/** One kind of game data, for the status and the manifest of the Sync API. One with a manifest has `liveIds` and `remove`. */
export interface SyncKind {
  readonly kind: string;
  /** The number of rows that are not deleted. */
  count(tx: Tx): Promise<number>;
  /** At most `limit` ids of rows that are not deleted, above `after`, in ascending byte order. */
  liveIds?(tx: Tx, after: string, limit: number): Promise<string[]>;
  /** Marks as deleted, in its own units of work; returns how many. */
  remove?(actor: Actor, ids: readonly string[]): Promise<number>;
}

/** One feature's hits for the global search. Returns only what the viewer may see. */
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
 * One finding of `rollcall doctor` and the status page. Its texts are in the feature's text file under
 * `findings.<name>` as `text` and `remedy`, with the params as placeholders.
 */
export interface Finding {
  /** `<feature>.<name>`. */
  readonly id: string;
  /** A hint is worth knowing and asks for nothing. */
  readonly state: "ok" | "hint" | "warning" | "problem";
  readonly params: Readonly<Record<string, string | number>>;
}

/** One check of the doctor; an error it throws becomes a problem that names the check. */
export interface Check {
  readonly id: string;
  run(): Promise<readonly Finding[]>;
}

/**
 * Keeps what a process has in memory in step with an event. It is called in every process: in the one that
 * committed directly after the commit, after the listeners of the features that its feature `needs`; in the
 * others as soon as the broker delivers the event. A process may miss events or, rarely, receive one twice;
 * what must happen is a reaction.
 */
export interface EventListener<D extends EventDefinition = EventDefinition> {
  readonly event: D;
  onEvent(message: EventMessage<D>): void;
  /**
   * Events of other processes may have been missed: the connection to the broker was established, now or
   * after an outage. Left out where another listener of the feature does what is needed.
   */
  onMissed?(): void;
}

export function listenTo<D extends EventDefinition>(listener: EventListener<D>): EventListener {
  return listener;
}

export interface AttributeRow {
  readonly id: string;
  readonly label: string;
}

/** The rows that attributes of type `data` name. Each method takes one statement. */
export interface AttributeSource {
  /** `<feature>.<name>`. */
  readonly source: string;
  /** At most `limit` rows whose label contains the text, in the order of their labels. */
  list(tx: Tx, query: string, limit: number): Promise<AttributeRow[]>;
  /** Labels by id. Rows that were deleted are missing. */
  labels(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What objects of the feature are called at present, for audit entries that hold only their ids. One statement. */
export interface ObjectNames {
  /** A kind of the feature's `objects`. */
  readonly kind: string;
  /** Names by id. Objects that are gone are missing. */
  names(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** What all features declare; complete once every feature was created. */
export interface Registry {
  /** What the features provide of one part, in their order. */
  readonly parts: <K extends ListPart>(part: K) => NonNullable<FeatureParts[K]>;
  readonly permissions: () => readonly PermissionDefinition[];
  readonly operations: () => readonly OperationDefinition[];
  readonly links: () => readonly LinkDefinition[];
  readonly recurring: () => readonly Recurrence[];
  readonly notifications: () => readonly NotificationDefinition[];
  /** All actions of the audit log: ids of operations and schedules, and the actions that features declare. */
  readonly actions: () => ReadonlySet<string>;
  /** The kinds of objects of audit entries that features declare. */
  readonly objects: () => ReadonlySet<string>;
  readonly listFilters: (target: string) => readonly ListFilter[];
  /**
   * Requests with approval. Here and not in an api, because the feature `approvals` itself needs some of those
   * that have requests. Throws when no feature provides them.
   */
  readonly approvals: () => Approvals;
  /** In the order of the features. */
  readonly demo: () => readonly DemoRows[];
  readonly preferences: () => readonly PreferenceDefinition[];
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
  readonly links?: readonly LinkDefinition[];
  readonly schedules?: readonly ScheduleDefinition[];
  readonly tasks?: readonly WorkerTaskDefinition[];
  /** The tables of states of the feature's objects, shown in docs/operate/state-machines.md. */
  readonly machines?: readonly StateMachine[];
  /** Kinds of requests that people approve or refuse. */
  readonly approvals?: readonly ApprovalDefinition[];
  readonly retention?: readonly RetentionDefinition[];
  readonly keptForGood?: readonly KeptForGood[];
  readonly topics?: readonly TopicDefinition[];
  readonly sockets?: readonly SocketDefinition[];
  readonly sync?: readonly SyncKindDefinition[];
  /** Kinds of requests to the game server. */
  readonly gameRequests?: readonly GameRequestDefinition[];
  readonly errors?: Readonly<Record<string, ErrorDefinition>>;
  readonly permissions?: readonly PermissionDefinition[];
  readonly notifications?: readonly NotificationDefinition[];
  readonly preferences?: readonly PreferenceDefinition[];
  /**
   * `<feature>.<verb>`: actions of the feature's audit entries in addition to its operations and
   * schedules. Each has a text in the feature's text file under `actions.<verb>`.
   */
  readonly actions?: readonly string[];
  /**
   * `<feature>.<kind>`: kinds of objects of the feature's audit entries. Each has a text in the feature's
   * text file under `panel.objects.<kind>`. Kinds of the first releases have no feature in their name, because
   * stored entries carry them.
   */
  readonly objects?: readonly string[];
}

/** The parts that are lists. A new one needs a line in `FeatureParts` alone. */
type ListPart = {
  [K in keyof FeatureParts]-?: NonNullable<FeatureParts[K]> extends readonly unknown[] ? K : never;
}[keyof FeatureParts];

export interface FeatureParts {
  /** The in-process interface for features that list this one in `needs`. */
  readonly api?: unknown;
  readonly routes?: readonly Binding[];
  readonly schedules?: readonly ScheduleHandler[];
  /** Data that is kept for a time and then deleted. */
  readonly retention?: readonly RetentionHandler[];
  readonly events?: readonly EventReaction[];
  readonly tasks?: readonly TaskHandler[];
  /** One for each of its kinds of requests. */
  readonly approvalHandlers?: readonly ApprovalHandler[];
  /** Requests with approval, provided by one feature for all. */
  readonly approvals?: Approvals;
  readonly topics?: readonly TopicBinding[];
  /** WebSockets of the feature, which carry frames of its own. */
  readonly sockets?: readonly SocketBinding[];
  /** Ways of notifications to people. */
  readonly deliveries?: readonly NotificationDelivery[];
  readonly sync?: readonly SyncKind[];
  /** Most items in one call of the Sync API, by what it carries: published beside the limit of batches. */
  readonly syncLimits?: readonly { readonly kind: string; readonly items: number }[];
  readonly gameRequests?: readonly GameRequestHandler[];
  readonly search?: readonly SearchProvider[];
  readonly filters?: readonly ListFilter[];
  /** Lists that people export as CSV. */
  readonly exports?: readonly ExportKind[];
  /** Rows that attributes of permissions name. */
  readonly attributeSources?: readonly AttributeSource[];
  readonly objectNames?: readonly ObjectNames[];
  readonly listeners?: readonly EventListener[];
  /** Columns whose values `rollcall secret rotate` encrypts again. */
  readonly sealed?: readonly SealedColumn[];
  /** The doctor's checks of this feature. */
  readonly checks?: readonly Check[];
  /** Adds the feature's rows to the demo city and returns how many there are; the second time it changes nothing. */
  readonly demo?: (demo: Demo) => Promise<number>;
  /** In a database that was just restored from a backup: invalidates what must not come back to life. */
  restored?(tx: Tx): Promise<void>;
  /** Runs before traffic is accepted; for caches and for seeding the feature's own tables. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface FeatureContext<Config = unknown> extends Ports<Config> {
  /** The api of a feature listed in `needs`; throws at start for any other. */
  use<T>(token: ApiToken<T>): T;
  readonly registry: Registry;
}

export interface Feature<Config = unknown> {
  readonly name: string;
  /** Its entry in docs/glossary.md, in Markdown: what it is, and the terms it brings. */
  readonly about: string;
  readonly needs: readonly string[];
  readonly contract: FeatureContract;
  readonly tables: readonly Table[];
  /** Its lists with orders, one for each operation with `order` in its query. */
  readonly lists?: readonly OrderedList[];
  /** Fields of this feature whose columns the configuration may name; checked against the database at start. */
  customColumns?(config: Config): readonly CustomColumn[];
  /** Who has its permissions in the demo city; those that no feature grants go to the chief of police. */
  readonly demoGrants?: readonly DemoGrant[];
  create(context: FeatureContext<Config>): FeatureParts;
}

/** The possible actions of audit entries, from what these features declare. */
export function actionsOf(contracts: readonly FeatureContract[]): ReadonlySet<string> {
  return new Set(
    contracts.flatMap(({ operations = [], schedules = [], retention = [], actions = [] }) => [
      ...[...operations, ...schedules, ...retention].map(({ id }) => id),
      ...actions,
    ]),
  );
}

export function defineFeature<Config>(feature: Feature<Config>): Feature<Config> {
  return feature;
}
