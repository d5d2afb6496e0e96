import { Type } from "typebox";
import type { Actor } from "./actor.ts";
import type { OperationDefinition } from "./contract/operation.ts";
import { actionsOf, recurrenceOf } from "./feature.ts";
import type {
  ApiToken,
  Binding,
  Check,
  EventListener,
  Feature,
  FeatureContract,
  FeatureParts,
  JobHandler,
  ListFilter,
  Ports,
  Registry,
  SearchProvider,
  SyncKind,
} from "./feature.ts";
import type { EventReaction, SealedColumn, TimerHandler, TopicBinding, Tx } from "./ports/index.ts";
import { recurrenceOfRetention, type RetentionHandler, type RetentionRunner } from "./retention.ts";

/** Everything that the features brought, in one place. */
export interface Assembly {
  readonly bindings: readonly Binding[];
  readonly jobs: readonly JobHandler[];
  readonly reactions: readonly EventReaction[];
  readonly timers: readonly TimerHandler[];
  readonly topics: readonly TopicBinding[];
  readonly listeners: readonly EventListener[];
  readonly registry: Registry;
  api<T>(token: ApiToken<T>): T;
  /** Runs one job of retention at once, in the name of `actor`; returns how many rows went, by kind. */
  retain(id: string, actor: Actor, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Ends what must not live a second time, in a database that was just restored. */
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
    if (seen.has(id)) throw new AssemblyFault(`${kind} ${id} is there twice`);
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
  const { id, example, input, output } = operation;
  const parts = { params: input.params, query: input.query, body: input.body };
  for (const [name, schema] of Object.entries(parts)) {
    const given = example[name as keyof typeof parts];
    if (schema && name !== "query" && given === undefined) throw new AssemblyFault(`operation ${id}: its example lacks ${name}`);
  }
  if (output !== null && example.output === undefined) throw new AssemblyFault(`operation ${id}: its example lacks the output`);
}

/** Whatever is deleted softly goes for good some day, or somebody decided that it never does. */
function checkKept({ name, contract, tables }: Feature<never>): void {
  const steps = (contract.retention ?? []).flatMap((retention) => Object.entries(retention.steps));
  const forGood = contract.keptForGood ?? [];
  once(`what ${name} keeps:`, [...steps.map(([kind]) => kind), ...forGood.map(({ kind }) => kind)]);
  const named = new Set([...steps.map(([, step]) => step), ...forGood].flatMap((one) => one.tables));
  for (const table of named)
    if (!tables.some((own) => own.name === table))
      throw new AssemblyFault(`${name} keeps rows of ${table}, which is no table of it`);
  for (const table of tables)
    if ("deleted_at" in table.columns && !named.has(table.name))
      throw new AssemblyFault(
        `the table ${table.name} has deleted_at, but ${name} declares neither in retention when its rows go nor in keptForGood why they stay`,
      );
}

type Collect = <T>(pick: (part: FeatureParts) => readonly T[] | undefined) => T[];

/** What features declare is what they serve, and no name stands twice. */
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
    "job",
    [...of((contract) => contract.jobs), ...of((contract) => contract.retention)].map(({ id }) => id),
    [
      ...all<JobHandler>((part) => part.jobs).map(({ job }) => job.id),
      ...all<RetentionHandler>((part) => part.retention).map(({ retention }) => retention.id),
    ],
  );
  features.forEach(checkKept);
  same(
    "topic",
    of((contract) => contract.topics).map(({ name }) => name),
    all<TopicBinding>((part) => part.topics).map(({ topic }) => topic.name),
  );
  once(
    "permission",
    of((contract) => contract.permissions).map(({ id }) => id),
  );
  once(
    "notification",
    of((contract) => contract.notifications).map(({ id }) => id),
  );
  once(
    "reaction",
    all<EventReaction>((part) => part.events).map(({ consumer }) => consumer),
  );
}

type ApiOf = Assembly["api"];

/** The runs of retention as jobs like any other. */
function retentionJobs(runner: RetentionRunner, handlers: readonly RetentionHandler[]): JobHandler[] {
  return handlers.map((handler) => {
    const { id, schedule, jitterMs } = handler.retention;
    return {
      job: { id, schedule, jitterMs, payload: Type.Object({}) },
      run: async (_payload, signal, tell) => void (await runner.run(handler, { kind: "system", name: id }, signal, tell)),
    };
  });
}

/** Creates the features in order and checks that what they declare is what they serve. */
export function assemble<C>(
  features: readonly Feature<C>[],
  ports: Ports<C>,
  retentionRunner: (api: ApiOf) => RetentionRunner,
): Assembly {
  const parts = new Map<string, FeatureParts>();
  const all: Collect = (pick) => [...parts.values()].flatMap((part) => pick(part) ?? []);
  const operations = features.flatMap(({ contract }) => contract.operations ?? []);
  const permissions = features.flatMap(({ contract }) => contract.permissions ?? []);
  const notifications = features.flatMap(({ contract }) => contract.notifications ?? []);
  const actions = actionsOf(features.map(({ contract }) => contract));
  const registry: Registry = {
    operations: () => operations,
    permissions: () => permissions,
    recurring: () => [
      ...all<JobHandler>((part) => part.jobs).flatMap((handler) => recurrenceOf(handler) ?? []),
      ...all<RetentionHandler>((part) => part.retention).map(recurrenceOfRetention),
    ],
    retention: () => all<RetentionHandler>((part) => part.retention),
    notifications: () => notifications,
    actions: () => actions,
    sealed: () => all<SealedColumn>((part) => part.sealed),
    checks: () => all<Check>((part) => part.checks),
    syncKinds: () => all<SyncKind>((part) => part.sync),
    searchProviders: () => all<SearchProvider>((part) => part.search),
    listFilters: (target) => all<ListFilter>((part) => part.filters).filter((filter) => filter.target === target),
  };
  const api: ApiOf = <T>(token: ApiToken<T>): T => {
    const found = parts.get(token.feature)?.api;
    if (found === undefined) throw new AssemblyFault(`the feature ${token.feature} has no api here`);
    return found as T;
  };

  for (const feature of features) {
    const use = <T>(token: ApiToken<T>): T => {
      if (!feature.needs.includes(token.feature))
        throw new AssemblyFault(`${feature.name} uses ${token.feature} without needing it`);
      return api(token);
    };
    parts.set(feature.name, feature.create({ ...ports, use, registry }));
  }

  checkAll(features, all);
  const runner = retentionRunner(api);

  return {
    bindings: all((part) => part.routes),
    jobs: [...all<JobHandler>((part) => part.jobs), ...retentionJobs(runner, registry.retention())],
    reactions: all((part) => part.events),
    timers: all((part) => part.timers),
    topics: all((part) => part.topics),
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
