import { expect, test } from "vitest";
import { Type } from "typebox";
import { access, defineEvent, defineSocket, defineTopic } from "#core/contract/index.ts";
import { silentLog } from "#testkit/silence.ts";
import { objectListeners } from "./realtime.ts";

const shared = defineEvent({ id: "papers.shared", version: 1, payload: Type.Object({ ids: Type.Array(Type.String()) }) });
const paper = defineTopic({ name: "papers/:id", kind: "event", access: access.character(), message: Type.Object({}) });
const editing = defineSocket({
  id: "papers.editing",
  keyed: true,
  access: access.character(),
  frameBytes: 10,
  messagesPerMinute: 10,
});

test("an event asks the connections of the objects that it names, and of no others, to check their access", () => {
  const asked: unknown[] = [];
  const hub = { sessions: { objectsChanged: async (...given: unknown[]) => void asked.push(given) } };
  const keysOf = ({ payload }: { payload: { ids: string[] } }) => (payload.ids.includes("all") ? null : payload.ids);
  const rechecks = [{ event: shared, keysOf }];
  const bindings = { topics: [{ topic: paper, rechecks }, { topic: paper }], sockets: [{ socket: editing, rechecks }] };
  const listeners = objectListeners(hub as never, bindings as never, { subsystem: () => silentLog });
  expect(listeners.map(({ event }) => event)).toEqual([shared, shared]);
  for (const ids of [["7", "8"], [], ["all"]]) for (const { onEvent } of listeners) onEvent({ payload: { ids } } as never);
  const named = ["7", "8"];
  expect(asked).toEqual([
    [shared.id, { of: paper.name, keys: named }],
    [shared.id, { of: editing.id, keys: named }],
    [shared.id, { of: paper.name, keys: null }],
    [shared.id, { of: editing.id, keys: null }],
  ]);
});

test("an event asks the connections of the characters that it names, where it says nothing about objects", () => {
  const asked: unknown[] = [];
  const hub = { sessions: { characterChanged: async (...given: unknown[]) => void asked.push(given) } };
  const charactersOf = ({ payload }: { payload: { ids: string[] } }) => payload.ids.map(Number);
  const bindings = { topics: [{ topic: paper, rechecks: [{ event: shared, charactersOf }] }], sockets: [] };
  const listeners = objectListeners(hub as never, bindings as never, { subsystem: () => silentLog });
  for (const ids of [["7", "8"], []]) for (const { onEvent } of listeners) onEvent({ payload: { ids } } as never);
  expect(asked).toEqual([
    [paper.name, 7],
    [paper.name, 8],
  ]);
});
