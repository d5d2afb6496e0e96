import { expect, test } from "vitest";
import { closeCodes, type LinkDefinition, type OperationDefinition } from "#core/contract/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import { linksApi } from "./links.api.ts";
import { boardChanged, boardLink, feedLink, readBoard, readFeed, trialBoards } from "./links.testkit.ts";

const system = { kind: "system", name: "test" } as const;
const hour = 60 * 60_000;

describeApps(
  "secret links",
  (get) => {
    let counter = 0;
    const subjectOf = () => `board ${(counter += 1)}`;
    const api = () => get().app.process.assembly.api(linksApi);
    const ports = () => get().app.process.container.ports;
    const write = async <T>(work: (tx: Tx) => Promise<T>) => await get().app.process.container.db.write("test.links", work);
    const issue = async (definition: LinkDefinition = boardLink, subject = subjectOf(), ms = hour) => {
      const link = { subject, label: "The board", expiresAt: ports().clock.now() + ms };
      return { subject, ...(await write(async (tx) => await api().issue(tx, system, definition, link))) };
    };
    /** Each network makes its own guesses. */
    const network = () => `198.51.${(counter += 1) % 250}.7`;
    const call = async (operation: OperationDefinition, link: string, address = network(), cookie?: string) =>
      await get().app.request(operation.method, operation.path, { link, address, ...(cookie === undefined ? {} : { cookie }) });
    const outdate = async (id: number) =>
      await get().app.process.container.db.exclusive(
        "test.outdate",
        async ({ connection }) => await connection.execute("update links set expires_at = ? where id = ?", [1, id]),
      );

    test("open the operations of their definition to a caller without an account, as often as their budget allows", async () => {
      const [first, second] = [await issue(), await issue()];
      const address = network();
      const { status, body } = await call(readBoard, first.secret, address);
      expect([status, body]).toEqual([200, { actor: "link", subject: first.subject }]);
      expect((await call(readBoard, first.secret.toLowerCase().replaceAll("-", " "), address)).status).toBe(200);
      for (let i = 0; i < 3; i += 1) expect((await call(readBoard, first.secret, network())).status).toBe(200);
      const over = await call(readBoard, first.secret, address);
      expect([over.status, over.body.code]).toEqual([429, "system.rateLimited"]);
      expect((await call(readBoard, second.secret, address)).status, "another link from the same network").toBe(200);
      const { token } = await get().world.actor({ rights: { "citizens.list": true } });
      expect((await get().app.request("GET", "/api/citizens", { token, address })).status, "the site").toBe(200);
    });

    test("open nothing else, and a session beside them counts for nothing", async () => {
      const { secret } = await issue();
      const { cookie, username } = await get().world.actor({ groups: ["admin"] });
      const other = await call(readFeed, secret, network(), cookie);
      expect([other.status, other.body.code]).toEqual([403, "system.linkOpensOther"]);
      const panel = await get().app.request("GET", "/api/accounts", { link: secret, cookie });
      expect([panel.status, panel.body.code]).toEqual([403, "system.linkOpensOther"]);
      expect((await get().app.request("GET", "/api/accounts", { cookie })).status).toBe(200);
      expect((await call(readBoard, "", network(), cookie)).status, username).toBe(401);
    });

    test("get one and the same answer when they are wrong, expired, revoked, or were never issued", async () => {
      const [expired, revoked] = [await issue(), await issue()];
      await outdate(expired.id);
      expect(await write(async (tx) => await api().revoke(tx, boardLink, [revoked.subject]))).toEqual([revoked.id]);
      const answers = await Promise.all(
        [expired.secret, revoked.secret, "7K2M-Q9XA"].map(async (one) => await call(readBoard, one)),
      );
      const without = await get().app.request("GET", readBoard.path);
      const seen = [...answers, without].map(({ status, body }) => [status, body.code, body.title]);
      expect(new Set(seen.map(String)).size).toBe(1);
      expect(seen[0]?.slice(0, 2)).toEqual([401, "system.linkInvalid"]);
    });

    test("cannot be guessed at will from one network, where a link that was used before keeps working", async () => {
      const address = network();
      const [known, unknown] = [await issue(), await issue()];
      expect((await call(readBoard, known.secret, address)).status).toBe(200);
      const answers: number[] = [];
      for (let i = 0; i < 30; i += 1) answers.push((await call(readBoard, `AAAA-${i}`, address)).status);
      expect([answers[0], answers.at(-1), answers.filter((status) => status === 401).length <= 25]).toEqual([401, 429, true]);
      expect((await call(readBoard, unknown.secret, address)).status).toBe(429);
      expect((await call(readBoard, unknown.secret, network())).status).toBe(200);
      expect((await call(readBoard, known.secret, address)).status).toBe(200);
      await write(async (tx) => await api().revoke(tx, boardLink, [known.subject]));
      expect((await call(readBoard, known.secret, address)).status).toBe(401);
      expect((await call(readBoard, known.secret, address)).status, "it is a guess now").toBe(429);
    });

    test("of a live connection end it when they are revoked, and no event follows", async () => {
      const [first, second] = [await issue(), await issue()];
      const connect = async (secret: string) => {
        const client = new TestClient(get().app.process.hub, `address ${network()}`);
        client.send({ type: "link", secret });
        await client.next("ready");
        expect(await client.subscribe("trialboards")).toMatchObject({ mode: "live" });
        expect(await client.subscribe("notices")).toBeNull();
        return client;
      };
      const [revoked, other] = [await connect(first.secret), await connect(second.secret)];
      const { outbox } = ports();
      const change = async (tx: Tx, subject: string) =>
        await outbox.emit(tx, boardChanged, { key: subject, version: 1, payload: { subject } });
      await write(async (tx) => await change(tx, first.subject));
      await revoked.next("event");
      await write(async (tx) => {
        await api().revoke(tx, boardLink, [first.subject]);
        await change(tx, first.subject);
        await change(tx, second.subject);
      });
      expect((await revoked.end()).code).toBe(closeCodes.linkEnded);
      await other.next("event");
      expect([revoked.events("trialboards").length, other.events("trialboards").length]).toEqual([1, 1]);
      const again = new TestClient(get().app.process.hub, `address ${network()}`);
      again.send({ type: "link", secret: first.secret });
      expect((await again.end()).code).toBe(closeCodes.unauthenticated);
      other.leave();
    });

    test("of a live connection end it when they expire", async () => {
      const { secret } = await issue(boardLink, subjectOf(), 1500);
      const client = new TestClient(get().app.process.hub, `address ${network()}`);
      client.send({ type: "link", secret });
      await client.next("ready");
      await client.subscribe("trialboards");
      expect((await client.end()).code).toBe(closeCodes.linkEnded);
      expect((await call(readBoard, secret)).status).toBe(401);
    });

    test("are listed while they are open, with who issued them, and revoked one by one", async () => {
      const subject = subjectOf();
      const [one, two, feed] = [await issue(boardLink, subject), await issue(boardLink, subject), await issue(feedLink, subject)];
      const list = async (...definitions: LinkDefinition[]) =>
        await write(async (tx) => (await api().list(tx, definitions, subject)).map(({ id }) => id));
      expect(await list(boardLink, feedLink)).toEqual([feed.id, two.id, one.id]);
      const [shown] = await write(async (tx) => await api().list(tx, [feedLink], subject));
      expect(shown).toMatchObject({ kind: feedLink.id, label: "The board", issuedBy: "system", expiresAt: expect.any(Number) });
      await write(async (tx) => await api().revoke(tx, boardLink, [subject], [one.id, feed.id]));
      expect(await list(boardLink, feedLink)).toEqual([feed.id, two.id]);
      await outdate(two.id);
      expect(await list(boardLink)).toEqual([]);
    });

    test("for one use are used by one of two units of work at once, and are open again when it is rolled back", async () => {
      const once = { ...feedLink, uses: 1 } as const;
      const { secret } = await issue(feedLink);
      const failing = write(async (tx) => {
        expect((await api().use(tx, once, secret)).state).toBe("open");
        throw new Error("rolled back");
      });
      await expect(failing).rejects.toThrow("rolled back");
      const use = async () => (await write(async (tx) => await api().use(tx, once, secret))).state;
      expect((await Promise.all([use(), use()])).toSorted()).toEqual(["invalid", "open"]);
      expect((await call(readFeed, secret)).status).toBe(401);
    });

    test("for any number of uses stay open", async () => {
      const { secret } = await issue(feedLink);
      const use = async (definition = feedLink) => (await write(async (tx) => await api().use(tx, definition, secret))).state;
      expect([await use(), await use(), await use(boardLink)]).toEqual(["open", "open", "invalid"]);
    });

    test("that an account issued are revoked, all of them or those of a definition", async () => {
      const accountId = 7_000_000 + (counter += 1);
      const actor = { kind: "account", accountId, username: "gone" } as never;
      const link = { subject: subjectOf(), label: "Mine", expiresAt: ports().clock.now() + hour };
      const { secret } = await write(async (tx) => await api().issue(tx, actor, boardLink, link));
      const other = await issue();
      await write(async (tx) => await api().revokeIssuedBy(tx, [accountId], [feedLink]));
      expect((await call(readBoard, secret)).status).toBe(200);
      await write(async (tx) => await api().revokeIssuedBy(tx, [accountId]));
      expect([(await call(readBoard, secret)).status, (await call(readBoard, other.secret)).status]).toEqual([401, 200]);
    });

    test("cannot outlive what their definition allows", async () => {
      await expect(issue(boardLink, subjectOf(), boardLink.maxAgeMs + 1000)).rejects.toThrow(RangeError);
    });

    test("are named in the audit log by their label and id when they are refused something", async () => {
      const { id, secret } = await issue();
      expect((await call(readFeed, secret)).status).toBe(403);
      const { rows } = await get().app.process.container.db.exclusive(
        "test.audit",
        async ({ connection }) =>
          await connection.execute("select actor_kind, action from audit_entries where actor_name = ?", [`The board (${id})`]),
      );
      expect(rows).toEqual([{ actor_kind: "link", action: readFeed.id }]);
    });

    test("do not come back with a restored backup", async () => {
      const { secret } = await issue();
      await write(async (tx) => await get().app.process.assembly.restored(tx));
      expect((await call(readBoard, secret)).status).toBe(401);
    });
  },
  {},
  { features: [trialBoards] },
);
