import { Type } from "typebox";
import type { Actor } from "./actor.ts";
import { actionsOf, recurrenceOf } from "./feature.ts";
import type {
  ApiToken,
  Binding,
  EventListener,
  Feature,
  FeatureParts,
  ScheduleHandler,
  ListFilter,
  Ports,
  Registry,
} from "./feature.ts";
import type { Approvals, EventReaction, SocketBinding, TaskHandler, TopicBinding, Tx } from "./ports/index.ts";
import { retentionRecurrence, type RetentionHandler, type RetentionRunner } from "./retention.ts";

import { AssemblyFault, checkAll, type Collect } from "./assemble.checks.ts";

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

type ApiOf = Assembly["api"];

/** Retention as ordinary schedules. */
function retentionSchedules(runner: RetentionRunner, handlers: readonly RetentionHandler[]): ScheduleHandler[] {
  return handlers.map((handler) => {
    const { id, cron, jitterMs } = handler.retention;
    return {
      schedule: { id, cron, jitterMs, payload: Type.Object({}) },
      removes: true,
      run: async (_payload, signal, report) => void (await runner.run(handler, { kind: "system", name: id }, signal, report)),
    };
  });
}

/** What the features declare; complete once every one was created. */
function registryOf(features: readonly Feature<never>[], parts: ReadonlyMap<string, FeatureParts>, all: Collect): Registry {
  const operations = features.flatMap(({ contract }) => contract.operations ?? []);
  const links = features.flatMap(({ contract }) => contract.links ?? []);
  const permissions = features.flatMap(({ contract }) => contract.permissions ?? []);
  const notifications = features.flatMap(({ contract }) => contract.notifications ?? []);
  const preferences = features.flatMap(({ contract }) => contract.preferences ?? []);
  const actions = actionsOf(features.map(({ contract }) => contract));
  const objects = new Set(features.flatMap(({ contract }) => contract.objects ?? []));
  return {
    parts: (name) => [...parts.values()].flatMap<unknown>((part) => part[name] ?? []) as never,
    operations: () => operations,
    links: () => links,
    permissions: () => permissions,
    recurring: () => [
      ...all<ScheduleHandler>((part) => part.schedules).flatMap((handler) => recurrenceOf(handler) ?? []),
      ...all<RetentionHandler>((part) => part.retention).map(retentionRecurrence),
    ],
    notifications: () => notifications,
    actions: () => actions,
    objects: () => objects,
    approvals() {
      const [found] = all<Approvals>((part) => part.approvals && [part.approvals]);
      if (!found) throw new AssemblyFault("no feature provides requests with approval");
      return found;
    },
    preferences: () => preferences,
    listFilters: (target) => all<ListFilter>((part) => part.filters).filter((filter) => filter.target === target),
    demo: () => [...parts].flatMap(([feature, { demo }]) => (demo ? [{ feature, load: demo }] : [])),
  };
}

/** Creates the features in order and checks that they serve what they declare. */
export function assemble<C>(
  features: readonly Feature<C>[],
  ports: Ports<C>,
  retentionRunner: (api: ApiOf) => RetentionRunner,
): Assembly {
  const parts = new Map<string, FeatureParts>();
  const all: Collect = (pick) => [...parts.values()].flatMap((part) => pick(part) ?? []);
  const registry = registryOf(features, parts, all);
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
    schedules: [...all<ScheduleHandler>((part) => part.schedules), ...retentionSchedules(runner, registry.parts("retention"))],
    reactions: all((part) => part.events),
    tasks: all((part) => part.tasks),
    topics: all((part) => part.topics),
    sockets: all((part) => part.sockets),
    listeners: all((part) => part.listeners),
    registry,
    api,
    async retain(id, actor, signal = new AbortController().signal) {
      const handler = registry.parts("retention").find(({ retention }) => retention.id === id);
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
