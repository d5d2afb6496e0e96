import { Type } from "typebox";
import type { Actor } from "./actor.ts";
import type { PermissionDefinition } from "./contract/access.ts";
import type { OperationDefinition } from "./contract/operation.ts";
import type { LinkDefinition } from "./contract/link.ts";
import type { SyncKindDefinition } from "./contract/sync.ts";
import { actionsOf, recurrenceOf } from "./feature.ts";
import type {
  ApiToken,
  AttributeSource,
  Binding,
  Check,
  EventListener,
  Feature,
  FeatureContract,
  FeatureParts,
  ScheduleHandler,
  ListFilter,
  Ports,
  Registry,
  SearchProvider,
  SyncKind,
} from "./feature.ts";
import type {
  ApprovalHandler,
  Approvals,
  EventReaction,
  ExportKind,
  GameRequestHandler,
  NotificationDelivery,
  SealedColumn,
  SocketBinding,
  TaskHandler,
  TopicBinding,
  Tx,
} from "./ports/index.ts";
import { retentionRecurrence, type RetentionHandler, type RetentionRunner } from "./retention.ts";

/** What all features provide, collected. */
export interface Assembly {
  readonly bindings: readonly Binding[];
  readonly schedules: readonly ScheduleHandler[];
  readonly reactions: readonly EventReaction[];
  readonly tasks: readonly TaskHandler[];
  readonly topics: readonly TopicBinding[];
  readonly sockets: readonly SocketBinding[];
  readonly listeners: readonly EventListener[];
  readonly registry: Registry;
  api<T>(token: ApiToken<T>): T;
  /** Runs one retention schedule now, on behalf of `actor`; returns the number of deleted rows by kind. */
  retain(id: string, actor: Actor, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Invalidates what must not come back to life, in a database that was just restored from a backup. */
  restored(tx: Tx): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A fault in how features are declared: found at boot, meant for developers. */
export class AssemblyFault extends Error {
  override name = "AssemblyFault";
}

function once(kind: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new AssemblyFault(`${kind} ${id} is defined twice`);
    seen.add(id);
  }
}

function same(kind: string, declared: readonly string[], served: readonly string[]): void {
  once(`declared ${kind}`, declared);
  once(kind, served);
  for (const id of declared) if (!served.includes(id)) throw new AssemblyFault(`${kind} ${id} is declared but nothing serves it`);
  for (const id of served) if (!declared.includes(id)) throw new AssemblyFault(`${kind} ${id} is served but not declared`);
}

function checkOperation(operation: OperationDefinition): void {
  const { id, example, input, output, access, method, idempotent } = operation;
  const repeated = access.kind === "sync" && method !== "GET";
  if (repeated !== (idempotent !== undefined))
    throw new AssemblyFault(
      repeated
        ? `operation ${id}: declare in idempotent what a repeated call does`
        : `operation ${id}: only operations of the Sync API that change something declare idempotent`,
    );
  const parts = { params: input.params, query: input.query, body: input.body };
  for (const [name, schema] of Object.entries(parts)) {
    const given = example[name as keyof typeof parts];
    if (schema && name !== "query" && given === undefined) throw new AssemblyFault(`operation ${id}: its example lacks ${name}`);
  }
  if (output !== null && example.output === undefined) throw new AssemblyFault(`operation ${id}: its example lacks the output`);
}

/** Every table with soft deletes is either purged by retention or declared as kept for good. */
function checkKept({ name, contract, tables }: Feature<never>): void {
  const steps = (contract.retention ?? []).flatMap((retention) => Object.entries(retention.steps));
  const forGood = contract.keptForGood ?? [];
  once(`what ${name} keeps:`, [...steps.map(([kind]) => kind), ...forGood.map(({ kind }) => kind)]);
  const named = new Set([...steps.map(([, step]) => step), ...forGood].flatMap((one) => one.tables));
  for (const table of named)
    if (!tables.some((own) => own.name === table))
      throw new AssemblyFault(`${name} keeps rows of ${table}, which is not one of its tables`);
  for (const table of tables)
    if ("deleted_at" in table.columns && !named.has(table.name))
      throw new AssemblyFault(
        `the table ${table.name} has deleted_at, but ${name} declares neither in retention when its rows are purged nor in keptForGood why they stay`,
      );
}

/** What a link opens and what says that it is opened by a link are the same. */
function checkLinks(
  links: readonly LinkDefinition[],
  operations: readonly OperationDefinition[],
  topics: readonly TopicBinding[],
): void {
  once(
    "secret link",
    links.map(({ id }) => id),
  );
  const opened = (pick: (link: LinkDefinition) => readonly string[]) =>
    links.flatMap((link) => pick(link).map((name) => `${name} of the link ${link.id}`));
  const byAccess = (name: string, { access }: Pick<OperationDefinition, "access">) =>
    access.kind === "link" ? access.anyOf.map((id) => `${name} of the link ${id}`) : [];
  same(
    "operation",
    opened((link) => link.operations),
    operations.flatMap((operation) => byAccess(operation.id, operation)),
  );
  const named = opened((link) => link.topics);
  once("topic", named);
  const missing = topics.flatMap(({ topic }) => byAccess(topic.name, topic)).find((name) => !named.includes(name));
  if (missing !== undefined) throw new AssemblyFault(`topic ${missing} is served but not declared`);
  // Others may subscribe to a topic as well, so its access need not name a link.
  same(
    "topic of links",
    [...new Set(links.flatMap((link) => link.topics))],
    topics.filter(({ authorizeLink }) => authorizeLink).map(({ topic }) => topic.name),
  );
}

/** A kind with another feature in its name would have no text. */
function checkObjects({ name, contract }: Feature<never>): void {
  for (const kind of contract.objects ?? [])
    if (kind.includes(".") && !kind.startsWith(`${name}.`))
      throw new AssemblyFault(`${name} declares the object ${kind} of the audit log, which begins with another feature`);
}

/** A machine with another feature in its name would have no text. */
function checkMachines({ name, contract }: Feature<never>): void {
  for (const { id } of contract.machines ?? [])
    if (!id.startsWith(`${name}.`)) throw new AssemblyFault(`${name} declares the state machine ${id}, which lacks its prefix`);
}

/** The kinds of the Sync API are served as declared. */
function checkSync(declared: readonly SyncKindDefinition[], served: readonly SyncKind[]): void {
  same(
    "sync kind",
    declared.map(({ kind }) => kind),
    served.map(({ kind }) => kind),
  );
  const reconciled = declared.filter(({ manifest }) => manifest).map(({ kind }) => kind);
  for (const { kind, liveIds, remove } of served)
    if (reconciled.includes(kind) && (!liveIds || !remove))
      throw new AssemblyFault(`sync kind ${kind} has a manifest, but lacks liveIds or remove`);
}

/** The longest id of a channel that a choice can store. */
const longestChannel = 16;

function checkDeliveries(deliveries: readonly NotificationDelivery[]): void {
  const channels = deliveries.flatMap((delivery) => delivery.channels.map(({ id }) => id));
  once(
    "delivery",
    deliveries.map(({ id }) => id),
  );
  once("channel of notifications", channels);
  for (const id of channels)
    if (id.length > longestChannel)
      throw new AssemblyFault(`the channel ${id} of notifications has more than ${longestChannel} characters`);
}

/** The rows that attributes name have exactly one source. */
function checkAttributes(permissions: readonly PermissionDefinition[], sources: readonly AttributeSource[]): void {
  const served = sources.map(({ source }) => source);
  once("source of attributes", served);
  for (const { id, attributes } of permissions)
    for (const [name, attribute] of Object.entries(attributes))
      if (attribute.type === "data" && !served.includes(attribute.source))
        throw new AssemblyFault(`${id} names rows of ${attribute.source} in ${name}, but no feature has them`);
}

type Collect = <T>(pick: (part: FeatureParts) => readonly T[] | undefined) => T[];

/** Features serve exactly what they declare, and every name is unique. */
function checkAll(features: readonly Feature<never>[], all: Collect): void {
  const of = <T>(pick: (contract: FeatureContract) => readonly T[] | undefined) =>
    features.flatMap(({ contract }) => pick(contract) ?? []);
  const operations = of((contract) => contract.operations);
  operations.forEach(checkOperation);
  same(
    "operation",
    operations.map(({ id }) => id),
    all<Binding>((part) => part.routes).map(({ operation }) => operation.id),
  );
  once(
    "route",
    operations.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`),
  );
  same(
    "schedule",
    [...of((contract) => contract.schedules), ...of((contract) => contract.retention)].map(({ id }) => id),
    [
      ...all<ScheduleHandler>((part) => part.schedules).map(({ schedule }) => schedule.id),
      ...all<RetentionHandler>((part) => part.retention).map(({ retention }) => retention.id),
    ],
  );
  same(
    "task",
    of((contract) => contract.tasks).map(({ id }) => id),
    all<TaskHandler>((part) => part.tasks).map(({ task }) => task.id),
  );
  same(
    "approval",
    of((contract) => contract.approvals).map(({ id }) => id),
    all<ApprovalHandler>((part) => part.approvalHandlers).map(({ approval }) => approval.id),
  );
  same(
    "request to the game server",
    of((contract) => contract.gameRequests).map(({ id }) => id),
    all<GameRequestHandler>((part) => part.gameRequests).map(({ request }) => request.id),
  );
  checkSync(
    of((contract) => contract.sync),
    all((part) => part.sync),
  );
  checkLinks(
    of((contract) => contract.links),
    operations,
    all((part) => part.topics),
  );
  features.forEach(checkKept);
  features.forEach(checkObjects);
  features.forEach(checkMachines);
  once(
    "state machine",
    of((contract) => contract.machines).map(({ id }) => id),
  );
  once(
    "object of the audit log",
    of((contract) => contract.objects),
  );
  same(
    "topic",
    of((contract) => contract.topics).map(({ name }) => name),
    all<TopicBinding>((part) => part.topics).map(({ topic }) => topic.name),
  );
  same(
    "socket",
    of((contract) => contract.sockets).map(({ id }) => id),
    all<SocketBinding>((part) => part.sockets).map(({ socket }) => socket.id),
  );
  once(
    "permission",
    of((contract) => contract.permissions).map(({ id }) => id),
  );
  once(
    "notification",
    of((contract) => contract.notifications).map(({ id }) => id),
  );
  checkDeliveries(all((part) => part.deliveries));
  checkAttributes(
    of((contract) => contract.permissions),
    all((part) => part.attributeSources),
  );
  once(
    "preference",
    of((contract) => contract.preferences).map(({ id }) => id),
  );
  once(
    "kind of exports",
    all<ExportKind>((part) => part.exports).map(({ id }) => id),
  );
  once(
    "reaction",
    all<EventReaction>((part) => part.events).map(({ consumer }) => consumer),
  );
}

type ApiOf = Assembly["api"];

/** Retention as ordinary schedules. */
function retentionSchedules(runner: RetentionRunner, handlers: readonly RetentionHandler[]): ScheduleHandler[] {
  return handlers.map((handler) => {
    const { id, cron, jitterMs } = handler.retention;
    return {
      schedule: { id, cron, jitterMs, payload: Type.Object({}) },
      run: async (_payload, signal, report) => void (await runner.run(handler, { kind: "system", name: id }, signal, report)),
    };
  });
}

/** Creates the features in order and checks that they serve what they declare. */
export function assemble<C>(
  features: readonly Feature<C>[],
  ports: Ports<C>,
  retentionRunner: (api: ApiOf) => RetentionRunner,
): Assembly {
  const parts = new Map<string, FeatureParts>();
  const all: Collect = (pick) => [...parts.values()].flatMap((part) => pick(part) ?? []);
  const operations = features.flatMap(({ contract }) => contract.operations ?? []);
  const links = features.flatMap(({ contract }) => contract.links ?? []);
  const permissions = features.flatMap(({ contract }) => contract.permissions ?? []);
  const notifications = features.flatMap(({ contract }) => contract.notifications ?? []);
  const preferences = features.flatMap(({ contract }) => contract.preferences ?? []);
  const actions = actionsOf(features.map(({ contract }) => contract));
  const objects = new Set(features.flatMap(({ contract }) => contract.objects ?? []));
  const registry: Registry = {
    operations: () => operations,
    links: () => links,
    permissions: () => permissions,
    recurring: () => [
      ...all<ScheduleHandler>((part) => part.schedules).flatMap((handler) => recurrenceOf(handler) ?? []),
      ...all<RetentionHandler>((part) => part.retention).map(retentionRecurrence),
    ],
    retention: () => all<RetentionHandler>((part) => part.retention),
    notifications: () => notifications,
    deliveries: () => all<NotificationDelivery>((part) => part.deliveries),
    actions: () => actions,
    objects: () => objects,
    sealed: () => all<SealedColumn>((part) => part.sealed),
    checks: () => all<Check>((part) => part.checks),
    syncKinds: () => all<SyncKind>((part) => part.sync),
    gameRequests: () => all<GameRequestHandler>((part) => part.gameRequests),
    searchProviders: () => all<SearchProvider>((part) => part.search),
    exports: () => all<ExportKind>((part) => part.exports),
    approvalHandlers: () => all<ApprovalHandler>((part) => part.approvalHandlers),
    approvals() {
      const [found] = all<Approvals>((part) => part.approvals && [part.approvals]);
      if (!found) throw new AssemblyFault("no feature provides requests with approval");
      return found;
    },
    attributeSources: () => all<AttributeSource>((part) => part.attributeSources),
    preferences: () => preferences,
    listFilters: (target) => all<ListFilter>((part) => part.filters).filter((filter) => filter.target === target),
    demo: () => [...parts].flatMap(([feature, { demo }]) => (demo ? [{ feature, load: demo }] : [])),
  };
  const api: ApiOf = <T>(token: ApiToken<T>): T => {
    const found = parts.get(token.feature)?.api;
    if (found === undefined) throw new AssemblyFault(`the feature ${token.feature} provides no api`);
    return found as T;
  };

  for (const feature of features) {
    const use = <T>(token: ApiToken<T>): T => {
      if (!feature.needs.includes(token.feature))
        throw new AssemblyFault(`${feature.name} uses ${token.feature}, which it does not list in needs`);
      return api(token);
    };
    parts.set(feature.name, feature.create({ ...ports, use, registry }));
  }

  checkAll(features, all);
  const runner = retentionRunner(api);

  return {
    bindings: all((part) => part.routes),
    schedules: [...all<ScheduleHandler>((part) => part.schedules), ...retentionSchedules(runner, registry.retention())],
    reactions: all((part) => part.events),
    tasks: all((part) => part.tasks),
    topics: all((part) => part.topics),
    sockets: all((part) => part.sockets),
    listeners: all((part) => part.listeners),
    registry,
    api,
    async retain(id, actor, signal = new AbortController().signal) {
      const handler = registry.retention().find(({ retention }) => retention.id === id);
      if (!handler) throw new Error(`there is no retention ${id}`);
      return await runner.run(handler, actor, signal);
    },
    async restored(tx) {
      for (const part of parts.values()) await part.restored?.(tx);
    },
    async start() {
      for (const part of parts.values()) await part.start?.();
    },
    async stop() {
      for (const part of [...parts.values()].toReversed()) await part.stop?.();
    },
  };
}
