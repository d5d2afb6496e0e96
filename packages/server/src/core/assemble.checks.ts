import type { PermissionDefinition } from "./contract/access.ts";
import type { LinkDefinition } from "./contract/link.ts";
import type { OperationDefinition } from "./contract/operation.ts";
import type { SyncKindDefinition } from "./contract/sync.ts";
import type { EventTopic, TopicDefinition } from "./contract/topic.ts";
import type { AttributeSource, Binding, Feature, FeatureContract, FeatureParts, ScheduleHandler, SyncKind } from "./feature.ts";
import type {
  ApprovalHandler,
  EventReaction,
  ExportKind,
  GameRequestHandler,
  NotificationDelivery,
  SocketBinding,
  TaskHandler,
  TopicBinding,
} from "./ports/index.ts";
import type { RetentionHandler } from "./retention.ts";

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

/** Every order that an operation offers has an index. */
function checkOrders({ name, contract, lists = [] }: Feature<never>): void {
  const offered = (schema: unknown) => JSON.stringify((schema as { enum?: unknown }).enum);
  for (const { id, input } of contract.operations ?? []) {
    const order = input.query?.properties["order"];
    if (order && !lists.some(({ orders }) => offered(orders.query.order) === offered(order)))
      throw new AssemblyFault(`operation ${id} has orders, but ${name} declares no list with their indexes`);
  }
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

interface SchemaShape {
  readonly items?: SchemaShape;
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly anyOf?: readonly SchemaShape[];
}

function namesOf(schema: SchemaShape): string[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...Object.keys(schema.properties ?? {}), ...inner.flatMap(namesOf)];
}

/** What a browser merges into its kept answers is all of them, and the same for every viewer of a class. */
function checkTopics(topics: readonly TopicDefinition[]): void {
  for (const topic of topics) {
    if (namesOf(topic.message).includes("abilities"))
      throw new AssemblyFault(`topic ${topic.name}: abilities are those of one viewer, a message is read by many`);
    if (topic.kind !== "event") continue;
    checkPreviews(topic);
    if (!topic.carries) continue;
    const item = (topic.message as SchemaShape).properties?.["items"]?.items?.properties ?? {};
    const { answers, apart = [] } = topic.carries;
    for (const { id, output } of answers) {
      const answer = (output ?? {}) as SchemaShape;
      const object = answer.properties?.["items"]?.items ?? answer;
      const missing = ["deleted", "version", ...Object.keys(object.properties ?? {})].find(
        (name) => !(name in item) && !apart.includes(name),
      );
      if (missing !== undefined)
        throw new AssemblyFault(`topic ${topic.name} carries the answers of ${id}, but its items lack ${missing}`);
    }
  }
}

/** What a browser shows of a new object until it reads it is all of it, and it is read. */
function checkPreviews({ name, message, previews, invalidates }: EventTopic): void {
  const shown = (message as SchemaShape).properties?.["created"]?.items?.properties ?? {};
  for (const { id, output } of previews?.answers ?? []) {
    if (invalidates?.answers.some((answer) => answer.id === id) !== true)
      throw new AssemblyFault(`topic ${name} previews the answers of ${id}, but does not make them stale`);
    const object = ((output ?? {}) as SchemaShape).properties?.["items"]?.items?.properties ?? {};
    const missing = ["id", ...Object.keys(object)].find((field) => !(field in shown));
    if (missing !== undefined)
      throw new AssemblyFault(`topic ${name} previews the answers of ${id}, but its new objects lack ${missing}`);
  }
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

/** The parts of one kind of all features. */
export type Collect = <T>(pick: (part: FeatureParts) => readonly T[] | undefined) => T[];

type Declared = <T>(pick: (contract: FeatureContract) => readonly T[] | undefined) => T[];

/** Features serve exactly what they declare, and every name is unique. */
export function checkAll(features: readonly Feature<never>[], all: Collect): void {
  const of: Declared = (pick) => features.flatMap(({ contract }) => pick(contract) ?? []);
  checkServed(of, all);
  features.forEach(checkKept);
  features.forEach(checkOrders);
  features.forEach(checkObjects);
  features.forEach(checkMachines);
  checkTopics(of((contract) => contract.topics));
  checkDeliveries(all((part) => part.deliveries));
  checkAttributes(
    of((contract) => contract.permissions),
    all((part) => part.attributeSources),
  );
  checkNames(of, all);
}

function checkServed(of: Declared, all: Collect): void {
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
}

function checkNames(of: Declared, all: Collect): void {
  once(
    "state machine",
    of((contract) => contract.machines).map(({ id }) => id),
  );
  once(
    "object of the audit log",
    of((contract) => contract.objects),
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
