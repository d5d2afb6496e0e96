import { expect, test } from "vitest";
import { closeCodes } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { type BoardSocket, followBoard } from "./live.ts";

/** A server whose sockets and timers the test drives. */
function following() {
  const sockets: (BoardSocket & { readonly sent: string[] })[] = [];
  const seen: string[] = [];
  let waiting: (() => void) | null = null;
  const after = (_ms: number, work: () => void) => {
    waiting = work;
    return () => (waiting = null);
  };
  const stop = followBoard({
    secret: "AAAA",
    clock: { now: () => 0, after } as unknown as Clock,
    open() {
      const sent: string[] = [];
      const socket = { sent, send: (text: string) => void sent.push(text), close: () => void seen.push("closed") };
      sockets.push({ ...socket, onopen: null, onmessage: null, onclose: null });
      return sockets.at(-1)!;
    },
    onChange: () => seen.push("change"),
    onState: (up) => seen.push(up ? "up" : "down"),
    onEnded: () => seen.push("ended"),
  });
  const say = (type: string) => sockets.at(-1)!.onmessage!({ data: JSON.stringify({ type }) });
  return { sockets, seen, say, stop, pass: () => waiting?.() };
}

test("the link is the first message, and the topic follows once it is accepted", () => {
  const { sockets, seen, say } = following();
  sockets[0]!.onopen!();
  expect(sockets[0]!.sent).toEqual(['{"type":"link","secret":"AAAA"}']);
  say("ready");
  expect(sockets[0]!.sent.at(-1)).toBe('{"type":"subscribe","topic":"wallboard"}');
  expect(seen).toEqual([]);
  for (const type of ["subscribed", "event"]) say(type);
  expect(seen).toEqual(["up", "change", "change"]);
  say("ping");
  expect(sockets[0]!.sent.at(-1)).toBe('{"type":"pong"}');
});

test("a lost connection is made again, and a link that has ended is not", () => {
  const { sockets, seen, pass } = following();
  sockets[0]!.onclose!({ code: 1006 });
  expect(seen).toEqual(["down"]);
  pass();
  expect(sockets).toHaveLength(2);
  sockets[1]!.onclose!({ code: closeCodes.linkEnded });
  pass();
  expect([sockets.length, seen]).toEqual([2, ["down", "down", "ended"]]);
});

test("a connection that says nothing any more counts as lost", () => {
  const { sockets, seen, say, pass } = following();
  for (const type of ["ready", "subscribed"]) say(type);
  pass();
  say("pong");
  pass();
  expect([sockets[0]!.sent.filter((one) => one.includes("ping")).length, seen.at(-1)]).toEqual([2, "change"]);
  pass();
  expect(seen.slice(-2)).toEqual(["closed", "down"]);
  pass();
  expect(sockets).toHaveLength(2);
});

test("what comes after it was left changes nothing", () => {
  const { sockets, seen, say, stop } = following();
  stop();
  say("event");
  sockets[0]!.onclose!({ code: 1006 });
  expect(seen).toEqual(["closed"]);
});
