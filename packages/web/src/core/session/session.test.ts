import { describe, expect, it, vi } from "vitest";
import { getCitizen } from "@rollcall/server/contract/citizens";
import type { OperationDefinition } from "@rollcall/server/contract/core";
import { createApi } from "#core/api.ts";
import { Problem } from "#core/problem.ts";
import { memoryValues, settle, testClock } from "#core/testkit.ts";
import type { Transport } from "#core/transport.ts";
import { createSession } from "./session.ts";

const account = (id: number) => ({
  id,
  username: `user${id}`,
  configAdmin: false,
  mayJobAdmin: false,
  factorNeededForAdmin: false,
});
const job = { name: "police", label: "Police", grade: 1, gradeLabel: "Officer" };
const character = (id: number) => ({
  id,
  firstName: "Mara",
  lastName: "Lind",
  dateOfBirth: null,
  sex: null,
  job,
});
const gone = () => new Problem("system.signInNeeded", 401);

/** A minimal server: one account, its characters, and tokens that are valid for ten minutes. */
function world() {
  const clock = testClock();
  const device = memoryValues();
  const tab = memoryValues();
  const server = {
    account: 1 as number | null,
    issued: 0,
    valid: new Set<string>(),
    issueFails: null as Problem | null,
    /** A character that is no longer this account's. */
    refuses: null as number | null,
    dropsCookie: false,
    asksFactor: false,
    /** When job admin ends, and every token with it. */
    modeUntil: Infinity,
    reads: 0,
    characters: [
      { id: 12, locked: false },
      { id: 13, locked: false },
    ],
    tokens: [] as (string | null)[],
  };

  const handlers: Record<string, (input: { body?: { characterId?: number; username?: string } }) => unknown> = {
    "auth.characters": () => ({
      account: account(server.account!),
      characters: server.characters.map(({ id, locked }) => ({ ...character(id), lastUsed: false, locked })),
    }),
    "auth.login": ({ body }) => {
      const id = Number(body?.username?.replace("user", ""));
      server.account = server.dropsCookie ? null : id;
      return server.asksFactor ? { factorNeeded: true } : { factorNeeded: false, account: account(id) };
    },
    "auth.logout": () => {
      server.account = null;
    },
    "auth.token": ({ body }) => {
      if (server.issueFails) throw server.issueFails;
      if (body?.characterId === server.refuses) throw new Problem("auth.characterNotYours", 403);
      server.issued += 1;
      const token = `t${server.issued}`;
      server.valid.add(token);
      return {
        token,
        expiresAt: Math.min(clock.now() + 600_000, server.modeUntil > clock.now() ? server.modeUntil : Infinity),
        account: account(server.account!),
        character: character(body!.characterId!),
        rights: {},
        jobAdmin: null,
      };
    },
  };

  const asked: string[] = [];
  const transport: Transport = {
    serverNow: () => clock.now(),
    onAnswer: () => () => undefined,
    async send(operation: OperationDefinition, input: unknown, options: { token?: string | null } = {}) {
      asked.push(operation.id);
      await settle();
      if (operation.id === "citizens.get") {
        server.tokens.push(options.token ?? null);
        if (!server.valid.has(options.token ?? ""))
          throw server.account === null ? gone() : new Problem("system.tokenExpired", 401);
        server.reads += 1;
        return { id: 12 } as never;
      }
      if (operation.access.kind !== "public" && server.account === null) throw gone();
      return handlers[operation.id]!(input as never) as never;
    },
  };
  const session = createSession({ transport, clock, device, tab });
  const api = createApi(transport, session);
  return {
    clock,
    device,
    tab,
    server,
    session,
    asked,
    api,
    read: () => api.call(getCitizen, { params: { id: 12 } }),
  };
}

/** Another page of the same browser. */
function createSessionBeside(device: ReturnType<typeof memoryValues>) {
  const other = world();
  other.device.all.clear();
  for (const [name, value] of device.all) other.device.write(name, value);
  return other;
}

async function withCharacter() {
  const all = world();
  await all.session.start();
  await all.session.choose(12);
  return all;
}

describe("start", () => {
  it("requires a sign-in without a session", async () => {
    const { session, server } = world();
    server.account = null;
    await session.start();
    expect(session.state.get()).toEqual({ phase: "signedOut" });
  });

  it("asks nothing where the page came without a session, unless somebody signed in since", async () => {
    const { session, server, device } = world();
    await session.start(true);
    expect(session.state.get()).toEqual({ phase: "signedOut" });
    await session.signIn({ username: "user1", password: "x" });
    expect(device.read("signedIn")).toBe(true);
    const shownAgain = createSessionBeside(device);
    await shownAgain.session.start(true);
    expect(shownAgain.session.state.get().phase).not.toBe("signedOut");
    server.account = null;
    await session.signOut().catch(() => undefined);
    expect(device.read("signedIn")).toBeUndefined();
  });

  it("offers the characters, and resumes the last one after a reload", async () => {
    const first = await withCharacter();
    expect(first.session.state.get()).toMatchObject({ phase: "active", character: { id: 12 } });

    const again = world();
    again.device.write("character.1", 13);
    await again.session.start();
    expect(again.session.state.get()).toMatchObject({ phase: "active", character: { id: 13 } });
  });

  it("prefers the last character of this tab over that of the device", async () => {
    const { session, device, tab } = world();
    device.write("character.1", 13);
    tab.write("character.1", 12);
    await session.start();
    expect(session.state.get()).toMatchObject({ phase: "active", character: { id: 12 } });
  });

  it("asks for the token of the last character at once, without the list of all", async () => {
    const { session, device, tab, asked } = world();
    device.write("signedIn", true);
    device.write("last", 13);
    tab.write("last", 12);
    await session.start();
    expect(session.state.get()).toMatchObject({ phase: "active", character: { id: 12 } });
    expect(asked).toEqual(["auth.token"]);
  });

  it("lists the characters when the last one is refused, and asks for a sign-in without a session", async () => {
    const refused = world();
    refused.device.write("signedIn", true);
    refused.device.write("last", 12);
    refused.device.write("character.1", 13);
    refused.server.refuses = 12;
    await refused.session.start();
    expect(refused.session.state.get()).toMatchObject({ phase: "active", character: { id: 13 } });
    expect(refused.asked).toEqual(["auth.token", "auth.characters", "auth.token"]);

    const gone = world();
    gone.device.write("signedIn", true);
    gone.device.write("last", 12);
    gone.server.account = null;
    await gone.session.start();
    expect(gone.session.state.get()).toEqual({ phase: "signedOut" });
    expect([...gone.device.all.keys()]).toEqual([]);
  });

  it("offers the choice when the last character was removed or is refused", async () => {
    const gone = world();
    gone.device.write("character.1", 99);
    await gone.session.start();
    expect(gone.session.state.get().phase).toBe("choosing");

    const refused = world();
    refused.device.write("character.1", 12);
    refused.server.issueFails = new Problem("auth.characterNotYours", 403);
    await refused.session.start();
    expect(refused.session.state.get().phase).toBe("choosing");
  });

  it("goes straight in with the only character, without offering it before", async () => {
    const { server, session } = world();
    server.characters = [{ id: 13, locked: false }];
    const phases: string[] = [];
    session.state.subscribe(() => phases.push(session.state.get().phase));
    await session.start();
    expect(session.state.get()).toMatchObject({ phase: "active", character: { id: 13 } });

    await session.signOut();
    await session.signIn({ username: "user1", password: "x" });
    expect(session.state.get()).toMatchObject({ phase: "active", character: { id: 13 } });
    expect(phases).not.toContain("choosing");
    await session.leaveCharacter();
    expect(session.state.get().phase).toBe("choosing");
  });

  it("offers the only character when it is locked or refused", async () => {
    const locked = world();
    locked.server.characters = [{ id: 13, locked: true }];
    await locked.session.start();
    expect(locked.session.state.get().phase).toBe("choosing");

    const refused = world();
    refused.server.characters = [{ id: 13, locked: false }];
    refused.server.issueFails = new Problem("auth.characterNotYours", 403);
    await expect(refused.session.signIn({ username: "user1", password: "x" })).resolves.toBe("signedIn");
    expect(refused.session.state.get().phase).toBe("choosing");
  });

  it("reports when the server cannot be reached", async () => {
    const { clock, device, tab } = world();
    const offline = createSession({
      clock,
      device,
      tab,
      transport: {
        serverNow: () => 0,
        onAnswer: () => () => undefined,
        send: () => Promise.reject(new Problem("web.offline", 0)),
      },
    });
    await offline.start();
    expect(offline.state.get()).toMatchObject({ phase: "unreachable", problem: { code: "web.offline" } });
  });
});

describe("tokens", () => {
  it("are renewed before they expire, without a call", async () => {
    const { clock, server, session } = await withCharacter();
    expect(server.issued).toBe(1);
    await clock.advance(541_000);
    expect(server.issued).toBe(2);
    expect(await session.token()).toBe("t2");
  });

  it("are issued once, however many calls wait for one", async () => {
    const { clock, server, read } = await withCharacter();
    server.issueFails = new Problem("web.offline", 0);
    await clock.advance(700_000);
    server.issueFails = null;
    const before = server.issued;
    await Promise.all([read(), read(), read()]);
    expect(server.issued).toBe(before + 1);
    expect(server.reads).toBe(3);
  });

  it("are replaced when the server refuses one, and the call is repeated", async () => {
    const { server, read } = await withCharacter();
    server.valid.clear();
    await expect(read()).resolves.toEqual({ id: 12 });
    expect(server.tokens).toEqual(["t1", "t2"]);
  });

  it("are requested again after a failed renewal in the background", async () => {
    const { clock, server, session } = await withCharacter();
    server.issueFails = new Problem("web.offline", 0);
    await clock.advance(545_000);
    server.issueFails = null;
    await clock.advance(15_000);
    expect(server.issued).toBe(2);
    expect(session.state.get()).toMatchObject({ phase: "active", lost: false });
  });

  it("that end with job admin are renewed a few times towards its end, not with each call", async () => {
    const { clock, server, read, session } = await withCharacter();
    server.modeUntil = clock.now() + 300_000;
    await session.renewRights();
    for (let second = 0; second < 299; second += 1) {
      await read();
      await clock.advance(1_000);
    }
    expect(server.issued).toBeLessThan(15);
    await clock.advance(2_000);
    const after = server.issued;
    await clock.advance(500_000);
    expect(server.issued).toBe(after);
  });

  it("are not renewed forever on a server that refuses every token", async () => {
    const { server, read } = await withCharacter();
    server.valid.add = () => server.valid;
    server.valid.clear();
    await expect(read()).rejects.toMatchObject({ code: "system.tokenExpired" });
    expect(server.tokens).toHaveLength(4);
  });
});

describe("a lost session", () => {
  it("is reported when the browser dropped the cookie of a sign-in", async () => {
    const { session, server } = world();
    server.account = null;
    await session.start();
    server.dropsCookie = true;
    await expect(session.signIn({ username: "user1", password: "x" })).rejects.toMatchObject({
      code: "web.cookieDropped",
    });
    expect(session.state.get().phase).toBe("signedOut");
  });

  it("makes calls wait until the same account has signed in again, and then sends them", async () => {
    const { server, session, read } = await withCharacter();
    server.account = null;
    server.valid.clear();
    const held = read();
    await vi.waitFor(() => expect(session.state.get()).toMatchObject({ phase: "active", lost: true }));
    expect(server.reads).toBe(0);

    await session.signIn({ username: "user1", password: "x" });
    await expect(held).resolves.toEqual({ id: 12 });
    expect(session.state.get()).toMatchObject({ phase: "active", lost: false, character: { id: 12 } });
  });

  it("rejects waiting calls when another account signs in", async () => {
    const { server, session, read } = await withCharacter();
    server.account = null;
    server.valid.clear();
    const held = read().catch((error: unknown) => error);
    await vi.waitFor(() => expect(session.state.get()).toMatchObject({ lost: true }));
    await session.signIn({ username: "user2", password: "x" });
    expect(await held).toMatchObject({ code: "system.signInNeeded" });
    expect(session.state.get()).toMatchObject({ phase: "choosing", account: { id: 2 } });
    expect(server.reads).toBe(0);
  });

  it("is restored when another tab signed in", async () => {
    const { server, session, read } = await withCharacter();
    server.account = null;
    server.valid.clear();
    const held = read();
    await vi.waitFor(() => expect(session.state.get()).toMatchObject({ lost: true }));
    server.account = 1;
    session.wake();
    await expect(held).resolves.toEqual({ id: 12 });
  });

  it("is noticed by the renewal in the background", async () => {
    const { clock, server, session } = await withCharacter();
    server.account = null;
    await clock.advance(541_000);
    expect(session.state.get()).toMatchObject({ phase: "active", lost: true });
  });
});

describe("a second factor", () => {
  it("keeps the browser signed out until it is given", async () => {
    const { session, server } = world();
    server.account = null;
    await session.start();
    server.asksFactor = true;
    await expect(session.signIn({ username: "user1", password: "x" })).resolves.toBe("factorNeeded");
    expect(session.state.get().phase).toBe("signedOut");
    await expect(session.enter(async () => ({ factorNeeded: false, account: account(1) }))).resolves.toBe("signedIn");
    expect(session.state.get()).toMatchObject({ phase: "choosing", account: { id: 1 } });
  });
});

describe("signOut", () => {
  it("forgets the character and the token", async () => {
    const { session, device, tab, clock, server } = await withCharacter();
    await session.signOut();
    expect(session.state.get()).toEqual({ phase: "signedOut" });
    expect([...device.all.keys(), ...tab.all.keys()]).toEqual([]);
    await clock.advance(3_600_000);
    expect(server.issued).toBe(1);
    await expect(session.token()).rejects.toMatchObject({ status: 401 });
  });
});
