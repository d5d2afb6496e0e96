import type { WorkingState } from "@rollcall/server/contract/assignments";
import { useShortcuts } from "#core/keyboard.ts";
import type { WorkChanges } from "#features/assignments/assignments.api.ts";
import type { OwnCall } from "./own.ts";

/** Keys of the page, for the first offer and the current call; what cannot be done now does nothing. */
export function useCrewKeys(offer: OwnCall | undefined, current: OwnCall | undefined, changes: WorkChanges): void {
  const answer = (accept: boolean) => {
    if (offer?.on.may.includes(accept ? "accept" : "decline") === true && !changes.busy) void changes.answer(offer.on, accept);
  };
  const isReady = current !== undefined && !changes.busy;
  const move = (state: WorkingState) => {
    if (isReady && current.on.may.includes("progress")) void changes.progress(current.on, state);
  };
  const help = () => {
    if (!isReady || current.on.state === "offered" || !current.on.may.includes("progress")) return;
    void changes.progress(current.on, current.on.state, !current.on.needsHelp);
  };
  const finish = () => {
    if (isReady && current.on.may.includes("finish")) void changes.finish(current.on);
  };
  useShortcuts([
    { keys: "a", label: "crew.keys.accept", group: "page", run: () => answer(true) },
    { keys: "d", label: "crew.keys.decline", group: "page", run: () => answer(false) },
    { keys: "1", label: "crew.keys.enRoute", group: "page", run: () => move("enRoute") },
    { keys: "2", label: "crew.keys.onScene", group: "page", run: () => move("onScene") },
    { keys: "3", label: "crew.keys.help", group: "page", run: help },
    { keys: "4", label: "crew.keys.done", group: "page", run: finish },
  ]);
}
