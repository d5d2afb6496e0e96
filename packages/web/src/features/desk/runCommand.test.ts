import { expect, test } from "vitest";
import { handBack, offerUnits, setProgress } from "@rollcall/server/contract/assignments";
import { exampleCall, getCall } from "@rollcall/server/contract/calls";
import { endPanic } from "@rollcall/server/contract/panic";
import { exampleUnit, setStatus } from "@rollcall/server/contract/units";
import type { Api } from "#core/api.ts";
import { Problem } from "#core/problem.ts";
import type { KnownUnit } from "./command.ts";
import { workQuestion } from "#features/units/status.ts";
import { type Change, type Inverse, runCommand, StatusKept, UnitLeft } from "./runCommand.ts";

const call = { ...exampleCall, id: 12, units: [] };
const unit = (id: number, name: string): KnownUnit => ({ ...exampleUnit, id, name });
const [a1, b2] = [unit(1, "Adam 1"), unit(2, "Boy 2")];
const on = ({ id, name }: KnownUnit) => ({ id: 90 + id, version: 3, unit: { id, name }, state: "accepted", needsHelp: false });

/** A server that answers an operation as given, and refuses those in `refuses`. */
function server(units: readonly unknown[], refuses: readonly string[] = []) {
  const calls: unknown[] = [];
  const answer = async ({ id }: { readonly id: string }, input: { readonly body?: unknown }) => {
    if (id === getCall.id) return { ...call, units };
    calls.push([id, input.body]);
    if (refuses.includes(id)) throw new Problem("assignments.stale", 409);
    return {};
  };
  return { api: { call: answer } as unknown as Api, calls };
}

const assign = (units: readonly KnownUnit[]): Change => ({ do: "assign", call, units, ask: false, progress: "enRoute" });

test("a line that is refused in its second step can be taken back", async () => {
  const { api, calls } = server([on(a1)], [setProgress.id]);
  const kept: Inverse[] = [];
  await expect(runCommand(api, assign([a1]), (inverse) => kept.push(inverse))).rejects.toThrow(Problem);
  expect(calls).toEqual([
    [offerUnits.id, { unitIds: [1], assign: true }],
    [setProgress.id, { version: 3, state: "enRoute", needsHelp: false }],
  ]);
  expect(kept).toHaveLength(1);
  await (kept[0] as { undo(reason: string): Promise<unknown> }).undo("Taken back");
  expect(calls.at(-1)).toEqual([handBack.id, { version: 3, reason: "Taken back" }]);
});

test("a unit that has left the call is named, and does not keep the others from being taken back", async () => {
  const kept: Inverse[] = [];
  const gone = server([]);
  await expect(runCommand(gone.api, assign([a1]), (inverse) => kept.push(inverse))).rejects.toEqual(new UnitLeft("Adam 1"));
  const { api, calls } = server([on(b2)]);
  await runCommand(api, { ...assign([a1, b2]), progress: null } as Change, (inverse) => kept.push(inverse));
  await (kept[1] as { undo(reason: string): Promise<unknown> }).undo("Taken back");
  expect(calls.at(-1)).toEqual([handBack.id, { version: 3, reason: "Taken back" }]);
  await expect((kept[0] as { undo(reason: string): Promise<unknown> }).undo("Taken back")).rejects.toThrow(UnitLeft);
});

test("what the server refuses at once leaves nothing to take back", async () => {
  const { api } = server([], [offerUnits.id]);
  const kept: Inverse[] = [];
  await expect(runCommand(api, assign([a1]), (inverse) => kept.push(inverse))).rejects.toThrow(Problem);
  expect(kept).toEqual([]);
});

test("a panic ends with the version that was shown, and stays ended", async () => {
  const { api, calls } = server([]);
  const kept: Inverse[] = [];
  const panic = { id: 4, version: 2, callId: 12, may: ["end" as const] };
  await runCommand(api, { do: "panic", call, panic, outcome: "false", text: "" }, (inverse) => kept.push(inverse));
  expect(calls).toEqual([[endPanic.id, { version: 2, outcome: "false", note: null }]]);
  expect(kept).toEqual([{ why: "panic" }]);
});

/** A server that asks what becomes of the calls of a unit. */
function asking() {
  const calls: unknown[] = [];
  const answer = async (_: unknown, input: { readonly body?: unknown }) => {
    calls.push(input.body);
    throw new Problem("units.openWork", 409);
  };
  return { api: { call: answer } as unknown as Api, calls };
}

const pausing: Change = { do: "status", unit: a1, to: { word: "break", base: "break", id: null } };

test("a status can be taken back, and sets the one before", async () => {
  const { api, calls } = server([]);
  const kept: Inverse[] = [];
  await runCommand(api, pausing, (inverse) => kept.push(inverse));
  await (kept[0] as { undo(reason: string): Promise<unknown> }).undo("Taken back");
  expect(calls).toEqual([
    [setStatus.id, { base: "break", statusId: null }],
    [setStatus.id, { base: exampleUnit.status.base, statusId: null }],
  ]);
});

test.each([
  ["handedBack", [{ why: "handedBack" }]],
  ["set", [{ undo: expect.any(Function) as () => void }]],
] as const)("a pause that is asked about is done once it is answered (%s)", async (outcome, inverses) => {
  const kept: Inverse[] = [];
  const running = runCommand(asking().api, pausing, (inverse) => kept.push(inverse));
  await expect.poll(() => workQuestion.get()).toMatchObject({ unit: { id: 1, name: "Adam 1" }, to: { base: "break" } });
  workQuestion.get()!.close(outcome);
  await running;
  expect([kept, workQuestion.get()]).toEqual([inverses, null]);
});

test("a pause whose question is closed without an answer is not done", async () => {
  const kept: Inverse[] = [];
  const running = runCommand(asking().api, pausing, (inverse) => kept.push(inverse));
  await expect.poll(() => workQuestion.get()).not.toBeNull();
  workQuestion.get()!.close("kept");
  await expect(running).rejects.toEqual(new StatusKept("Adam 1"));
  expect(kept).toEqual([]);
});
