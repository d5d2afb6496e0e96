import { answerOffer, finishWork, getOwnWork, setProgress } from "@rollcall/server/contract/assignments";
import type { UnitOnCall } from "@rollcall/server/contract/calls";
import type { CommandContext } from "#core/pages.ts";
import { api } from "#core/services.ts";

export type OwnCommand = "accept" | "decline" | "enRoute" | "onScene" | "needsHelp" | "helpOver" | "finish";

async function send(command: OwnCommand, { id, version, state }: UnitOnCall): Promise<void> {
  const params = { id };
  if (command === "accept" || command === "decline")
    await api.call(answerOffer, { params, body: { version, accept: command === "accept" } });
  else if (command === "finish") await api.call(finishWork, { params, body: { version } });
  else if (command !== "needsHelp" && command !== "helpOver")
    await api.call(setProgress, { params, body: { version, state: command } });
  else if (state !== "offered")
    await api.call(setProgress, { params, body: { version, state, needsHelp: command === "needsHelp" } });
}

/** To the first offer of the own unit, or to the call that it is furthest with, which opens; without one, the list of calls. */
export async function ownCommand(command: OwnCommand, { go }: CommandContext): Promise<void> {
  const isAnswer = command === "accept" || command === "decline";
  const { calls } = await api.call(getOwnWork);
  const own = calls.flatMap((call) => call.units.filter(({ mine }) => mine).map((on) => ({ call, on })));
  const found = own.find(({ on }) => (on.state === "offered") === isAnswer);
  if (found === undefined) {
    go("/calls");
    return;
  }
  await send(command, found.on);
  go(`/calls/${found.call.id}`);
}
