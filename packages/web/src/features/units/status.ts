import { type BaseKind, setStatus, type Unit } from "@rollcall/server/contract/units";
import type { Api } from "#core/api.ts";
import { asProblem } from "#core/problem.ts";
import { createStore } from "#core/store.ts";

/** A status as somebody chooses it. */
export interface ChosenStatus {
  readonly base: BaseKind;
  readonly id: number | null;
}

/** `kept`: the question about open work was closed, and nothing has changed. */
export type StatusOutcome = "set" | "handedBack" | "kept";

/** What becomes of the calls that a unit works, which the server asks about. */
export interface WorkQuestion {
  readonly unit: Pick<Unit, "id" | "name">;
  readonly to: ChosenStatus;
  /** Closes it; without an answer nothing has changed. */
  close(outcome: StatusOutcome): void;
}

/** One at a time: while it is open, nothing below it can be used. */
export const workQuestion = createStore<WorkQuestion | null>(null);

async function askAboutWork(unit: WorkQuestion["unit"], to: ChosenStatus): Promise<StatusOutcome> {
  workQuestion.get()?.close("kept");
  return await new Promise((resolve) => {
    const question: WorkQuestion = {
      unit: { id: unit.id, name: unit.name },
      to,
      close(outcome) {
        if (workQuestion.get() === question) workQuestion.set(null);
        resolve(outcome);
      },
    };
    workQuestion.set(question);
  });
}

/** Sets the status of a unit; where it works calls and would pause, a dialog asks first what becomes of them. */
export async function changeStatus(api: Api, unit: WorkQuestion["unit"], to: ChosenStatus): Promise<StatusOutcome> {
  try {
    await api.call(setStatus, { params: { id: unit.id }, body: { base: to.base, statusId: to.id } });
    return "set";
  } catch (error) {
    if (asProblem(error).code !== "units.openWork") throw error;
    return await askAboutWork(unit, to);
  }
}
