import { describe, expect, it } from "vitest";
import { closeCodes, type ClientMessage, type ServerMessage } from "@rollcall/server/contract/core";
import { settle, testClock } from "#core/testkit.ts";
import { createConnection, type Socket } from "./connection.ts";

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;
  readyState = 1;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    this.closed = true;
  }
  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const ready: ServerMessage = {
  type: "ready",
  connection: "c1",
  now: 0,
  expiresAt: 0,
  heartbeatMs: 20_000,
  feed: true,
  limits: { subscriptions: 10, frameBytes: 1000 },
};

function line({ watched = false } = {}) {
  const clock = testClock();
  const sockets: FakeSocket[] = [];
  const log: string[] = [];
  let tokens = 0;
  let current = "t0";
  const connection = createConnection({
    clock,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    token: () => Promise.resolve(current),
    refused: (token) => {
      log.push(`refused ${token}`);
      tokens += 1;
      current = `t${tokens}`;
    },
    onReady: () => log.push("ready"),
    onMessage: () => undefined,
    watched: () => watched,
  });
  const last = () => sockets.at(-1)!;
  const signIn = async () => {
    last().onopen?.();
    await settle();
    last().say(ready);
  };
  return { clock, sockets, log, connection, last, signIn, newToken: (token: string) => (current = token) };
}

describe("createConnection", () => {
  it("signs in with the first message and is up when the server agrees", async () => {
    const { connection, last, log, signIn } = line();
    connection.start();
    expect(connection.status.get().state).toBe("connecting");
    await signIn();
    expect(last().sent).toEqual([{ type: "auth", token: "t0" }]);
    expect(connection.status.get().state).toBe("up");
    expect(log).toEqual(["ready"]);
  });

  it("reconnects with growing pauses, reports that it is lost, and is up again", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    last().onclose?.({ code: 1006 });
    expect(connection.status.get().state).toBe("connecting");
    await clock.advance(375);
    expect(sockets).toHaveLength(2);
    last().onclose?.({ code: 1006 });
    expect(connection.status.get().state).toBe("lost");
    await clock.advance(374);
    expect(sockets).toHaveLength(2);
    await clock.advance(376);
    expect(sockets).toHaveLength(3);
    await signIn();
    expect(connection.status.get().state).toBe("up");
  });

  it.each([
    ["five seconds while somebody looks at the page", true, 5_000],
    ["half a minute", false, 30_000],
  ])("never waits longer than %s", async (_what, watched, longest) => {
    const { connection, last, sockets, clock } = line({ watched });
    connection.start();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      last().onclose?.({ code: 1006 });
      const before = sockets.length;
      await clock.advance(longest);
      expect(sockets.length).toBeGreaterThan(before);
    }
  });

  describe("while it waits for its next attempt", () => {
    async function lost() {
      const all = line({ watched: true });
      all.connection.start();
      await all.signIn();
      for (let attempt = 0; attempt < 6; attempt += 1) {
        all.last().onclose?.({ code: 1006 });
        if (attempt < 5) await all.clock.advance(5_000);
      }
      await all.clock.advance(1_000);
      return { ...all, tried: all.sockets.length };
    }

    it("connects as soon as the server answers a call", async () => {
      const { connection, clock, signIn, sockets, tried } = await lost();
      connection.answered();
      await clock.advance(0);
      expect(sockets).toHaveLength(tried + 1);
      await signIn();
      expect(connection.status.get().state).toBe("up");
    });

    it("does so at most once a second, where calls are answered and connections are not accepted", async () => {
      const { connection, clock, last, sockets, tried } = await lost();
      for (let call = 0; call < 20; call += 1) {
        connection.answered();
        await clock.advance(50);
        if (sockets.length > tried && last().onclose) last().onclose?.({ code: 1006 });
      }
      expect(sockets).toHaveLength(tried + 1);
    });
  });

  it("leaves a connection that works alone when a call is answered", async () => {
    const { connection, last, clock, signIn, sockets } = line();
    connection.start();
    await signIn();
    const sent = last().sent.length;
    connection.answered();
    await clock.advance(0);
    expect([sockets.length, last().sent.length]).toEqual([1, sent]);
  });

  it("sends a ping after silence and abandons a dead connection", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    const first = last();
    await clock.advance(25_000);
    expect(first.sent.at(-1)).toEqual({ type: "ping" });
    first.say({ type: "pong" });
    await clock.advance(25_000);
    expect(first.sent.filter(({ type }) => type === "ping")).toHaveLength(2);
    await clock.advance(10_000);
    expect(first.closed).toBe(true);
    await clock.advance(1_000);
    expect(sockets).toHaveLength(2);
  });

  it("checks the connection at once after sleep", async () => {
    const { connection, last, clock, signIn } = line();
    connection.start();
    await signIn();
    connection.check();
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    await clock.advance(10_000);
    expect(connection.status.get().state).toBe("connecting");
  });

  it.each([
    ["a silent one, by a ping that is not answered", (_socket: FakeSocket) => undefined],
    ["a closed one, while its successor does not open", (socket: FakeSocket) => socket.onclose?.({ code: 1006 })],
  ])("of a page that is looked at is lost within two seconds: %s", async (_what, breakLine) => {
    const { connection, last, clock, signIn } = line({ watched: true });
    connection.start();
    await signIn();
    breakLine(last());
    await clock.advance(1_000);
    expect(connection.status.get().state).not.toBe("lost");
    await clock.advance(1_000);
    expect(connection.status.get().state).toBe("lost");
  });

  it("is up again when a late answer arrives, and is patient with a slow network from then on", async () => {
    const { connection, last, sockets, clock, signIn } = line({ watched: true });
    connection.start();
    await signIn();
    await clock.advance(2_200);
    expect(connection.status.get().state).toBe("lost");
    last().say({ type: "pong" });
    expect(connection.status.get().state).toBe("up");
    await clock.advance(2_200);
    expect(connection.status.get().state).toBe("up");
    expect(sockets).toHaveLength(1);
  });

  it("is lost as soon as the browser is offline, and up with the next message", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    connection.offline();
    expect(connection.status.get().state).toBe("lost");
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    last().say({ type: "pong" });
    expect(connection.status.get().state).toBe("up");
  });

  it("answers the server's pings", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().say({ type: "ping" });
    expect(last().sent.at(-1)).toEqual({ type: "pong" });
  });

  it("sends nothing on a connection that the server is closing", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().readyState = 2;
    last().say({ type: "ping" });
    expect(last().sent.map(({ type }) => type)).toEqual(["auth"]);
  });

  it("reconnects when the token arrives on a connection that closes and never reports it", async () => {
    const { connection, last, sockets, clock } = line();
    connection.start();
    last().onopen?.();
    last().readyState = 2;
    await settle();
    expect(last().sent).toEqual([]);
    await clock.advance(11_000);
    expect(sockets).toHaveLength(2);
  });

  it("takes a new token when the old one was not accepted", async () => {
    const { connection, last, log, clock } = line();
    connection.start();
    last().onopen?.();
    await settle();
    last().onclose?.({ code: closeCodes.tokenExpired });
    expect(log).toEqual(["refused t0"]);
    await clock.advance(1_000);
    last().onopen?.();
    await settle();
    expect(last().sent).toEqual([{ type: "auth", token: "t1" }]);
  });

  it("sends each new token of the session once over a running connection", async () => {
    const { connection, last, signIn, newToken } = line();
    connection.start();
    await signIn();
    connection.tokenChanged();
    await settle();
    expect(last().sent).toHaveLength(1);
    newToken("fresh");
    connection.tokenChanged();
    await settle();
    expect(last().sent.at(-1)).toEqual({ type: "renew", token: "fresh" });
  });

  it("reports when the server itself receives no events", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().say({ type: "feed", up: false, since: 0 });
    expect(connection.status.get().state).toBe("stale");
    last().say({ type: "ping" });
    expect(connection.status.get().state).toBe("stale");
    last().say({ type: "feed", up: true, since: 0 });
    expect(connection.status.get().state).toBe("up");
  });

  it("does not reconnect once it is stopped", async () => {
    const { connection, last, sockets, clock, signIn } = line();
    connection.start();
    await signIn();
    connection.stop();
    expect(last().closed).toBe(true);
    await clock.advance(600_000);
    expect(sockets).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });

  it("ignores malformed messages", async () => {
    const { connection, last, signIn } = line();
    connection.start();
    await signIn();
    last().onmessage?.({ data: "{" });
    last().onmessage?.({ data: "42" });
    last().onmessage?.({ data: new ArrayBuffer(2) });
    expect(connection.status.get().state).toBe("up");
  });
});
