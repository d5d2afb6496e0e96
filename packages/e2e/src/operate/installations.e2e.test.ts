import { cpSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventStream, Namespace, NatsBroker, silent, systemClock } from "@rollcall/testkit/server/broker.ts";
import { createProxy } from "@rollcall/testkit/server/proxy.ts";
import { call } from "@rollcall/testkit/api.ts";
import type { Program } from "@rollcall/testkit/program.ts";
import { hasMariadb, hasNatsServer, ownDatabase, ownNats, type OwnNats } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope, type ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import { queryOf } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";

const [nats, mariadb] = [hasNatsServer(), await hasMariadb()];

interface Streams {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly consumer_detail?: readonly { readonly num_waiting: number }[];
    }[];
  }[];
}

describe.skipIf(!nats)("installations on one NATS server", { timeout: 120_000 }, () => {
  let scope: Scope;
  let server: OwnNats;
  beforeEach(async () => {
    scope = createScope();
    server = await ownNats();
    scope.defer(async () => await server.remove());
    await server.start();
  });
  afterEach(async () => await scope.end());

  const shared = () => ({ "nats.url": `nats://127.0.0.1:${server.port}` });
  const placeOf = async (more = {}) => await scope.instance({ ...shared(), ...more });
  const idIn = (instance: ConfiguredInstance) => queryOf(instance, null)("select id from installation")[0] ?? "";
  const fileOf = ({ folder }: ConfiguredInstance) => path.join(folder, "data", "rollcall.db");

  async function command(instance: ConfiguredInstance, line: string): Promise<string> {
    const { code, stdout, stderr } = await scope.run(line.split(" "), instance);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  /** Starts and expects one line and exit code 1. */
  async function refusal(instance: ConfiguredInstance): Promise<string> {
    const program = scope.launch(instance);
    expect(await program.exited, program.output()).toBe(1);
    const lines = program
      .output()
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("{") || line.includes('"level":"error"'));
    expect(lines).toHaveLength(1);
    return lines[0]!;
  }

  /** An instance with a copy of the database of another one, whose server is stopped. */
  async function copyOf(original: ConfiguredInstance, more = {}): Promise<ConfiguredInstance> {
    const copy = await placeOf(more);
    cpSync(path.join(original.folder, "data"), path.join(copy.folder, "data"), { recursive: true });
    return copy;
  }

  /** How many processes wait for messages of a stream; null when the stream does not exist. */
  async function readers(stream: string): Promise<number | null> {
    const { account_details: accounts = [] } = await server.monitor<Streams>("/jsz?accounts=1&streams=1&consumers=1");
    const found = accounts.flatMap(({ stream_detail: streams = [] }) => streams).find(({ name }) => name === stream);
    return found?.consumer_detail?.reduce((sum, { num_waiting: waiting }) => sum + waiting, 0) ?? (found ? 0 : null);
  }

  async function started(instance: ConfiguredInstance): Promise<Program> {
    return await scope.serve(instance);
  }

  it("a copied database is refused, naming both, and runs next to the original under an id of its own", async () => {
    const original = await placeOf();
    const first = await started(original);
    await first.stop();
    const copy = await copyOf(original);
    await started(original);
    const line = await refusal(copy);
    expect(line).toContain(`the id ${idIn(original)} of the database ${fileOf(copy)} on`);
    expect(line).toContain(`to ${fileOf(original)} on`);
    expect(line).toContain("rollcall installation new-id");
    const { stdout } = await scope.run(["doctor"], copy);
    expect(stdout).toMatch(/^PROBLEM {2}The ID of this installation/m);

    expect(await command(copy, "installation new-id")).toContain(idIn(copy));
    expect(idIn(copy)).not.toBe(idIn(original));
    await started(copy);
    expect(await command(copy, "installation show")).toContain(`held by ${fileOf(copy)} on`);
    expect(await command(original, "installation show")).toContain(`held by ${fileOf(original)} on`);
  });

  it("a moved database keeps its id, and the old one is refused", async () => {
    const old = await placeOf();
    await (await started(old)).stop();
    const moved = await copyOf(old);
    expect(await refusal(moved)).toContain("rollcall installation claim");
    expect(await command(moved, "installation claim")).toMatch(
      new RegExp(`belongs to ${fileOf(moved)} on .*\\nIt belonged to ${fileOf(old)} on`),
    );
    await started(moved);
    expect(await refusal(old)).toContain(`to ${fileOf(moved)} on`);
  });

  it.skipIf(!mariadb)("processes with two addresses of one database both serve", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const proxy = await createProxy({ host: database.server.host, port: database.server.port });
    scope.defer(async () => await proxy.close());
    const direct = await placeOf({ "database.dsn": database.dsn() });
    const through = await placeOf({ "database.dsn": database.dsn({ port: proxy.port }) });
    await started(direct);
    expect(await refusal(through)).toContain(`${database.name} on localhost:${proxy.port}`);
    expect(await command(through, "installation claim --also")).toContain(`beside ${database.name} on localhost:`);
    await started(through);
    await (await started(await placeOf({ "database.dsn": database.dsn() }))).stop();
  });

  it("with ignoreRequirements an id in use prevents joining the broker until the remedy, without a restart", async () => {
    const original = await placeOf();
    await (await started(original)).stop();
    const copy = await copyOf(original, { ignoreRequirements: true });
    const program = await started(copy);
    const brokerIs = async (state: string) => {
      const { body } = await call(copy.adminUrl, "/readyz");
      const part = body.parts.find(({ part: name }: { part: string }) => name === "broker");
      return part.state === state ? (part as { reason: string | null }) : null;
    };
    const { reason } = await until("the broker is not used", async () => {
      const found = await brokerIs("degraded");
      return found?.reason?.includes("rollcall installation new-id") === true ? found : null;
    });
    expect(reason).toContain(fileOf(original));
    await command(copy, "installation new-id");
    await until("it is used", async () => await brokerIs("ok"));
    expect(program.child.exitCode).toBeNull();
  });

  it("demo and restore assign another id, which a running server follows", async () => {
    const instance = await placeOf();
    const program = await started(instance);
    const before = idIn(instance);
    await command(instance, "demo load");
    const demo = idIn(instance);
    expect(demo).not.toBe(before);
    await until("the server works under the id", async () => ((await readers(`rollcall_${demo}_EVENTS`)) ?? 0) > 0);
    await until("events of before and after reach it", () => {
      const unsent = queryOf(instance, null)("select count(*) as n from outbox_events where sent_at is null");
      return unsent[0] === "0";
    });
    await command(instance, "backup backup.tar.gz");
    await program.stop();
    await command(instance, "restore backup.tar.gz --replace");
    expect([before, demo]).not.toContain(idIn(instance));
    await started(instance);
    expect(await command(instance, "installation show")).toContain(`held by ${fileOf(instance)} on`);
  });

  it("the doctor names the stream that all installations shared, and the command that deletes it does so", async () => {
    const login = { user: null, password: null, token: null, tls: false };
    const url = { kind: "nats", servers: [`127.0.0.1:${server.port}`], ...login } as const;
    const namespace = new Namespace("rollcall");
    const earlier = await new NatsBroker({ url, replicas: 1, namespace, log: silent, clock: systemClock }).start();
    scope.defer(async () => await earlier.close());
    await earlier.ensureStream(eventStream);
    await earlier.consume(eventStream.name, { durable: "reactions", start: "all" }, async () => undefined);
    const instance = await placeOf();
    await started(instance);
    const { stdout } = await scope.run(["doctor"], instance);
    expect(stdout).toMatch(/^warning {2}.*rollcall_EVENTS\.\n.*rollcall installation delete-old-streams/m);

    await until("a process of an earlier version reads", async () => ((await readers("rollcall_EVENTS")) ?? 0) > 0);
    const refused = await scope.run(["installation", "delete-old-streams"], instance);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/still reads rollcall_EVENTS; stop every Rollcall/),
    ]);
    await earlier.close();
    await until("no process reads", async () => (await readers("rollcall_EVENTS")) === 0);
    expect(await command(instance, "installation delete-old-streams")).toBe("deleted  rollcall_EVENTS\n");
    expect(await command(instance, "installation delete-old-streams")).toBe("There are no old streams.\n");
    expect((await scope.run(["doctor"], instance)).stdout).not.toContain("rollcall_EVENTS");
  });
});

it("with the embedded broker there is nothing to claim", async () => {
  const scope = createScope();
  try {
    const instance = await scope.instance();
    await scope.serve(instance);
    const shown = await scope.run(["installation", "show"], instance);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^id {8}[0-9A-Z]{26}\n.*\nbroker {4}embedded/)]);
    const refused = await scope.run(["installation", "claim"], instance);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("nats.url is embedded")]);
  } finally {
    await scope.end();
  }
});
